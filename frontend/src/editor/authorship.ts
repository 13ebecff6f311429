/** Shows who wrote what: a thin bar beside each sentence; who, when and in which task on hover.
 *
 * The replica tells, and nothing is guessed: every writer has ids of their own in it. Words of an
 * id that the server does not know have no bar.
 */
import {
  type Extension,
  RangeSet,
  RangeSetBuilder,
  RangeValue,
  StateEffect,
  StateField,
} from "@codemirror/state";
import {
  EditorView,
  hoverTooltip,
  layer,
  RectangleMarker,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import type * as Y from "yjs";
import { link } from "../app/location";
import type { Room } from "../live/room";
import type { Author } from "../live/wire";
import { ago, exactly } from "../parts/time";
import { editorWords } from "./words";

// Walking a long text costs milliseconds; the bars can wait until typing stops.
const QUIET_MS = 400;
const HOVER_MS = 600;
const WIDTH_PX = 2;
// A person's bar and an agent's have a track each, so that a line shared by both shows both.
const TRACKS_PX = { person: 12, agent: 7 };

export interface Run {
  from: number;
  to: number;
  author: Author;
}

/** A character by its Yjs id: the replica that wrote it, and its place in what that wrote. */
export interface Character {
  client: number;
  clock: number;
}

/** When a character was written, and in which task of an agent. */
export interface Origin {
  when: string;
  who: { task?: string | null };
}

export type AskOrigin = (character: Character) => Promise<Origin>;

type Kind = keyof typeof TRACKS_PX;

class Written extends RangeValue {
  constructor(readonly author: Author) {
    super();
  }

  override eq(other: Written): boolean {
    return isSame(other.author, this.author);
  }
}

const learned = StateEffect.define<RangeSet<Written>>();
const runs = StateField.define<RangeSet<Written>>({
  create: () => RangeSet.empty,
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(learned)) return effect.value;
    return before.map(transaction.changes);
  },
});

export function authorship(room: Room, ask: AskOrigin): Extension {
  return [
    runs,
    ViewPlugin.define((view) => new Reader(view, room)),
    layer({ above: false, class: "cm-authors", update: isDue, markers: bars }),
    hoverTooltip((view, at) => told(view, at, () => originAt(room.text, at, ask)), {
      hoverTime: HOVER_MS,
    }),
  ];
}

/** Lists who wrote which part of a text, in order, neighbours joined. */
export function runsOf(text: Y.Text, authors: ReadonlyMap<number, Author>): Run[] {
  const found: Run[] = [];
  let at = 0;
  // Yjs keeps a text as a chain of items, and gives no public way along it.
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const author = authors.get(item.id.client);
    const last = found.at(-1);
    const to = at + item.length;
    if (author && last?.to === at && isSame(last.author, author)) last.to = to;
    else if (author) found.push({ from: at, to, author });
    at = to;
  }
  return found;
}

/** The character at a place of a text; null behind its end. */
export function characterAt(text: Y.Text, at: number): Character | null {
  let left = at;
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !item.countable) continue;
    if (left < item.length) return { client: item.id.client, clock: item.id.clock + left };
    left -= item.length;
  }
  return null;
}

async function originAt(text: Y.Text, at: number, ask: AskOrigin): Promise<Origin | null> {
  const character = characterAt(text, at);
  return character && ask(character);
}

function isSame(one: Author, other: Author): boolean {
  return one.person === other.person && (one.via ?? null) === (other.via ?? null);
}

class Reader {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop: () => void;

  constructor(
    private readonly view: EditorView,
    private readonly room: Room,
  ) {
    this.stop = room.authorsChanged.on(() => this.soon());
    this.soon();
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) this.soon();
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.stop();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), QUIET_MS);
  }

  private read(): void {
    const { length } = this.view.state.doc;
    const builder = new RangeSetBuilder<Written>();
    for (const { from, to, author } of runsOf(this.room.text, this.room.authors)) {
      if (to <= length) builder.add(from, to, new Written(author));
    }
    this.view.dispatch({ effects: learned.of(builder.finish()) });
  }
}

function isDue(update: ViewUpdate): boolean {
  const isLearned = update.transactions.some((one) => one.effects.some((two) => two.is(learned)));
  // A key that moves no line moves no bar; who wrote it is learned once typing stops.
  const isMoved = update.heightChanged || (update.geometryChanged && !update.docChanged);
  return isLearned || isMoved || update.viewportChanged;
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Which kinds of writers each sentence of a text has; a sentence may have both. */
export function sentencesOf(
  text: string,
  written: readonly Run[],
): { from: number; to: number; kinds: Kind[] }[] {
  const found = [];
  for (const { segment, index } of sentences.segment(text)) {
    const to = index + segment.trimEnd().length;
    const here = written.filter((run) => run.from < to && run.to > index);
    const kinds = new Set(here.map(({ author }): Kind => (author.via ? "agent" : "person")));
    if (to > index && kinds.size > 0) found.push({ from: index, to, kinds: [...kinds] });
  }
  return found;
}

function bars(view: EditorView): readonly RectangleMarker[] {
  const found: RectangleMarker[] = [];
  const left = leftOf(view);
  const above = view.scrollDOM.getBoundingClientRect().top - view.scrollDOM.scrollTop;
  for (const block of view.viewportLineBlocks) {
    const line = view.state.doc.lineAt(block.from);
    const written: Run[] = [];
    view.state.field(runs).between(line.from, line.to, (from, to, { author }) => {
      written.push({ from: from - line.from, to: to - line.from, author });
    });
    for (const sentence of sentencesOf(line.text, written)) {
      const first = view.coordsAtPos(line.from + sentence.from, 1);
      const last = view.coordsAtPos(line.from + sentence.to, -1);
      if (!first || !last) continue;
      const height = last.bottom - first.top;
      for (const kind of sentence.kinds) {
        const at = left - TRACKS_PX[kind];
        found.push(
          new RectangleMarker(
            `cm-author cm-author-${kind}`,
            at,
            first.top - above,
            WIDTH_PX,
            height,
          ),
        );
      }
    }
  }
  return found;
}

function leftOf(view: EditorView): number {
  const line = view.contentDOM.querySelector(".cm-line");
  const indent = line ? parseFloat(getComputedStyle(line).paddingLeft) : 0;
  const content = view.contentDOM.getBoundingClientRect().left;
  return content - view.scrollDOM.getBoundingClientRect().left + view.scrollDOM.scrollLeft + indent;
}

function told(view: EditorView, at: number, origin: () => Promise<Origin | null>): Tooltip | null {
  let author: Author | null = null;
  view.state.field(runs).between(at, at, (from, to, value) => {
    if (from <= at && at < to) author = value.author;
  });
  if (!author) return null;
  const words = saidBy(author);
  return {
    pos: at,
    above: true,
    create() {
      const dom = document.createElement("div");
      dom.className = "cm-author-name";
      dom.append(words);
      // What is typed just now is not saved yet, and what was trimmed is not kept: both have
      // an author here, and no time.
      origin().then(
        (found) => found && dom.append(...partsOf(found)),
        () => {},
      );
      return { dom };
    },
  };
}

/** The time of an origin, and a way to the task that wrote it. */
export function partsOf({ when, who }: Origin): HTMLElement[] {
  const time = document.createElement("time");
  time.dateTime = when;
  time.textContent = `${ago(when)} · ${exactly(when)}`;
  if (!who.task) return [time];
  const task = document.createElement("a");
  task.href = link(`/tasks/${encodeURIComponent(who.task)}`);
  task.textContent = editorWords().inTask;
  return [time, task];
}

function saidBy({ name, via }: Author): string {
  const words = editorWords();
  return via ? words.byAgent(via, name) : words.byPerson(name);
}
