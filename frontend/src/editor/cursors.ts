/** Draws where others are in the text, and tells them where this page is.
 *
 * y-codemirror.next could do it, but writes style attributes, which a strict page refuses.
 */
import { type Extension, RangeSetBuilder, StateEffect } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import * as Y from "yjs";
import type { Room } from "../live/room";
import { safeColour } from "../people/colours";
import { editorWords } from "./words";

const moved = StateEffect.define<null>();

export interface RemoteCursor {
  client: number;
  name: string;
  colour: string;
  anchor: number;
  head: number;
  /** Changes when they move, and not when others shift the text around them. */
  spot: string;
}

export function remoteCursors(room: Room): Extension {
  return ViewPlugin.define((view) => new Cursors(view, room), {
    decorations: (cursors) => cursors.drawn,
  });
}

/** Where each other user is in the text, as far as it is known. */
export function cursorsIn(room: Room): RemoteCursor[] {
  const found: RemoteCursor[] = [];
  for (const [client, state] of room.awareness.getStates()) {
    const cursor = client === room.doc.clientID ? null : placeOf(room, state["cursor"]);
    if (!cursor) continue;
    const user = (state["user"] ?? {}) as { name?: unknown; color?: unknown };
    const name = typeof user.name === "string" ? user.name : editorWords().user;
    found.push({ client, name, colour: safeColour(user.color), ...cursor });
  }
  return found;
}

class Cursors {
  drawn: DecorationSet = Decoration.none;
  private readonly listener: () => void;

  constructor(
    private readonly view: EditorView,
    private readonly room: Room,
  ) {
    // Not at once: others may speak while the editor is still drawing.
    this.listener = () => queueMicrotask(() => view.dispatch({ effects: moved.of(null) }));
    room.awareness.on("change", this.listener);
    this.drawn = draw(cursorsIn(room), view.state.doc.length);
    // This part is loaded behind the text: the user may have put the caret somewhere already.
    this.tell();
  }

  update(update: ViewUpdate): void {
    if (update.selectionSet || update.focusChanged || update.docChanged) this.tell();
    const news = update.transactions.some((one) => one.effects.some((effect) => effect.is(moved)));
    if (news || update.docChanged)
      this.drawn = draw(cursorsIn(this.room), this.view.state.doc.length);
  }

  destroy(): void {
    this.room.awareness.off("change", this.listener);
  }

  private tell(): void {
    const { anchor, head } = this.view.state.selection.main;
    if (!this.view.hasFocus || anchor > this.room.text.length || head > this.room.text.length)
      return;
    const cursor = { anchor: relative(this.room, anchor), head: relative(this.room, head) };
    const known = this.room.awareness.getLocalState()?.["cursor"] as typeof cursor | undefined;
    if (JSON.stringify(known) === JSON.stringify(cursor)) return;
    queueMicrotask(() => this.room.awareness.setLocalStateField("cursor", cursor));
  }
}

function relative(room: Room, index: number): unknown {
  return Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(room.text, index));
}

type Place = Pick<RemoteCursor, "anchor" | "head" | "spot">;

function placeOf(room: Room, cursor: unknown): Place | null {
  const { anchor, head } = (cursor ?? {}) as { anchor?: unknown; head?: unknown };
  const from = indexOf(room, anchor);
  const to = indexOf(room, head);
  return from === null || to === null
    ? null
    : { anchor: from, head: to, spot: JSON.stringify(head) };
}

function indexOf(room: Room, position: unknown): number | null {
  if (typeof position !== "object" || position === null) return null;
  try {
    const relativePosition = Y.createRelativePositionFromJSON(position);
    const found = Y.createAbsolutePositionFromRelativePosition(relativePosition, room.doc);
    return found?.type === room.text ? found.index : null;
  } catch {
    return null; // Another page may send anything.
  }
}

function draw(cursors: RemoteCursor[], length: number): DecorationSet {
  const inside = cursors.filter((one) => Math.max(one.anchor, one.head) <= length);
  const parts = inside.flatMap((one) => [...selectionOf(one), caretOf(one)]);
  parts.sort((a, b) => a.from - b.from || a.value.startSide - b.value.startSide);
  const builder = new RangeSetBuilder<Decoration>();
  for (const part of parts) builder.add(part.from, part.to, part.value);
  return builder.finish();
}

function selectionOf(cursor: RemoteCursor): { from: number; to: number; value: Decoration }[] {
  const from = Math.min(cursor.anchor, cursor.head);
  const to = Math.max(cursor.anchor, cursor.head);
  if (from === to) return [];
  const attributes = { style: `--who: ${cursor.colour}` };
  return [{ from, to, value: Decoration.mark({ class: "cm-remote-selection", attributes }) }];
}

function caretOf(cursor: RemoteCursor): { from: number; to: number; value: Decoration } {
  const widget = new Caret(cursor);
  const side = cursor.head > cursor.anchor ? -1 : 1;
  return { from: cursor.head, to: cursor.head, value: Decoration.widget({ widget, side }) };
}

/** A caret with a name, which fades when its owner rests; a move draws both anew. */
class Caret extends WidgetType {
  constructor(private readonly cursor: RemoteCursor) {
    super();
  }

  override eq({ cursor }: Caret): boolean {
    const { client, name, colour, spot } = this.cursor;
    const isSame = cursor.client === client && cursor.name === name && cursor.colour === colour;
    return isSame && cursor.spot === spot;
  }

  toDOM(): HTMLElement {
    const caret = document.createElement("span");
    caret.className = "cm-remote-caret";
    caret.style.setProperty("--who", this.cursor.colour);
    caret.setAttribute("aria-hidden", "true");
    const label = document.createElement("span");
    label.className = "cm-remote-name";
    label.textContent = this.cursor.name;
    caret.append("\u2060", label);
    return caret;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
