/** Shows who wrote what: a thin bar beside each sentence, and the name where one points.
 *
 * The replica tells, and nothing is guessed: every writer has ids of their own in it. Words of an
 * id that the server does not know have no bar.
 */
import {
  EditorSelection,
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
import type { Room } from "../live/room";
import type { Author } from "../live/wire";
import { editorWords } from "./words";

// Walking a long text costs milliseconds; the bars can wait until typing stops.
const QUIET_MS = 150;
const HOVER_MS = 600;
const WIDTH_PX = 2;
// A person's bar and an agent's have a track each, so that a line shared by both shows both.
const TRACKS_PX = { person: 12, agent: 7 };

export interface Run {
  from: number;
  to: number;
  author: Author;
}

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

export function authorship(room: Room): Extension {
  return [
    runs,
    ViewPlugin.define((view) => new Reader(view, room)),
    layer({ above: false, class: "cm-authors", update: isDue, markers: bars }),
    hoverTooltip(told, { hoverTime: HOVER_MS }),
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
  return isLearned || update.docChanged || update.viewportChanged || update.geometryChanged;
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
  for (const block of view.viewportLineBlocks) {
    const line = view.state.doc.lineAt(block.from);
    const written: Run[] = [];
    view.state.field(runs).between(line.from, line.to, (from, to, { author }) => {
      written.push({ from: from - line.from, to: to - line.from, author });
    });
    for (const sentence of sentencesOf(line.text, written)) {
      const range = EditorSelection.range(line.from + sentence.from, line.from + sentence.to);
      const drawn = RectangleMarker.forRange(view, "", range);
      if (drawn.length === 0) continue;
      const top = Math.min(...drawn.map((one) => one.top));
      const bottom = Math.max(...drawn.map((one) => one.top + one.height));
      for (const kind of sentence.kinds) {
        const at = left - TRACKS_PX[kind];
        found.push(
          new RectangleMarker(`cm-author cm-author-${kind}`, at, top, WIDTH_PX, bottom - top),
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

function told(view: EditorView, at: number): Tooltip | null {
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
      dom.textContent = words;
      return { dom };
    },
  };
}

function saidBy({ name, via }: Author): string {
  const words = editorWords();
  return via ? words.byAgent(via, name) : words.byPerson(name);
}
