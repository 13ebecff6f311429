/** Tints what agents wrote. The replica tells: every writer has ids of their own in it. */
import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from "@codemirror/view";
import type * as Y from "yjs";
import type { Room } from "../live/room";
import type { Author } from "../live/wire";

// Walking a long text costs milliseconds; the tint can wait until typing stops.
const QUIET_MS = 150;

export interface Stretch {
  from: number;
  to: number;
  author: Author;
}

const tinted = StateEffect.define<DecorationSet>();
const tint = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(drawn, transaction) {
    for (const effect of transaction.effects) if (effect.is(tinted)) return effect.value;
    return drawn.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function authorship(room: Room): Extension {
  return [tint, ViewPlugin.define((view) => new Tint(view, room))];
}

/** Lists the stretches of a text that agents wrote, in order, neighbours joined. */
export function agentStretches(text: Y.Text, authors: ReadonlyMap<number, Author>): Stretch[] {
  const found: Stretch[] = [];
  let at = 0;
  // Yjs keeps a text as a chain of items, and gives no public way along it.
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const author = authors.get(item.id.client);
    if (author?.via) add(found, { from: at, to: at + item.length, author });
    at += item.length;
  }
  return found;
}

function add(found: Stretch[], next: Stretch): void {
  const last = found.at(-1);
  const isSame = last?.to === next.from && last.author.via === next.author.via;
  if (last && isSame && last.author.person === next.author.person) last.to = next.to;
  else found.push(next);
}

class Tint {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop: () => void;

  constructor(
    private readonly view: EditorView,
    private readonly room: Room,
  ) {
    this.stop = room.authorsChanged.on(() => this.soon());
    this.soon();
  }

  update(update: { docChanged: boolean }): void {
    if (update.docChanged) this.soon();
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.stop();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), QUIET_MS);
  }

  private draw(): void {
    const stretches = agentStretches(this.room.text, this.room.authors);
    const length = this.view.state.doc.length;
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to, author } of stretches) {
      if (to > length) break;
      const title = `Written by ${author.via} for ${author.name}`;
      builder.add(from, to, Decoration.mark({ class: "cm-by-agent", attributes: { title } }));
    }
    this.view.dispatch({ effects: tinted.of(builder.finish()) });
  }
}
