/** Live preview: markdown looks as it is read, except where the caret is. Nothing is written.
 *
 * Only the part in sight is drawn. While an input method composes a word, its line keeps what is
 * drawn in it: elements that came or went beside the word would end the composition.
 */
import { syntaxTree } from "@codemirror/language";
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  Prec,
  StateEffect,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { caret } from "./caret";
import { cellBeside, rowsOf } from "./cells";
import { marksOf } from "./marks";
import { tableAt, tables } from "./tables";
import { turn } from "./widgets";

const composed = StateEffect.define<null>();
// The browser tells of the end before the word is in the text.
const SETTLE_MS = 60;

export interface Redraw {
  state: EditorState;
  changes: ChangeDesc;
  ranges: readonly { from: number; to: number }[];
  isComposing: boolean;
}

/** Draws the text in sight anew; the line of a word that is being composed keeps what it has. */
export function redrawn(before: DecorationSet, now: Redraw): DecorationSet {
  const { state } = now;
  const fresh = now.ranges.flatMap(({ from, to }) => marksOf(state, from, to));
  if (!now.isComposing) return Decoration.set(fresh, true);
  const { from, to } = state.doc.lineAt(state.selection.main.head);
  const isElsewhere = (start: number, end: number): boolean => end < from || start > to;
  const kept = before.map(now.changes).update({
    filter: (start, end) => !isElsewhere(start, end),
    add: fresh.filter((one) => isElsewhere(one.from, one.to)),
    sort: true,
  });
  return kept;
}

class Preview {
  drawn: DecorationSet;

  constructor(view: EditorView) {
    const { state } = view;
    const changes = state.changes([]);
    const ranges = view.visibleRanges;
    this.drawn = redrawn(Decoration.none, { state, changes, ranges, isComposing: false });
  }

  update(update: ViewUpdate): void {
    const { state, startState, view } = update;
    const isParsed = syntaxTree(state) !== syntaxTree(startState);
    const isTold = update.transactions.some((one) => one.effects.length > 0 || one.reconfigured);
    const isMoved = update.docChanged || update.selectionSet || update.viewportChanged;
    if (!isMoved && !isParsed && !isTold) return;
    const { changes } = update;
    const isComposing = view.composing || view.compositionStarted;
    this.drawn = redrawn(this.drawn, { state, changes, ranges: view.visibleRanges, isComposing });
  }
}

const drawing = ViewPlugin.fromClass(Preview, { decorations: (preview) => preview.drawn });

const composing = EditorView.domEventHandlers({
  compositionend(_event, view) {
    setTimeout(() => view.dispatch({ effects: composed.of(null) }), SETTLE_MS);
  },
});

/** Goes to the next cell of the table, or to the one before. */
function move(view: EditorView, step: 1 | -1): boolean {
  const { head } = view.state.selection.main;
  const table = tableAt(view.state, head);
  if (!table) return false;
  const rows = rowsOf(view.state.sliceDoc(table.from, table.to));
  const cell = cellBeside(rows, head - table.from, step);
  if (!cell) return false;
  const selection = { anchor: table.from + cell.from, head: table.from + cell.to };
  view.dispatch({ selection, scrollIntoView: true });
  return true;
}

const keys = Prec.high(
  keymap.of([
    { key: "Tab", run: (view) => move(view, 1), shift: (view) => move(view, -1) },
    { key: "Mod-Enter", run: (view) => turn(view, view.state.selection.main.head) },
  ]),
);

export const preview: Extension = [caret, tables, drawing, composing, keys];
