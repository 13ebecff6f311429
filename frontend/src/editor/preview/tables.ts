/** Finds tables, keeps them in step with the text, and draws them where the caret is not.
 *
 * They are mapped through changes and looked for again near a change only: looking for all of them
 * at each key would take longer than a frame in a long text.
 */
import { syntaxTree } from "@codemirror/language";
import {
  type ChangeSet,
  type EditorState,
  type Range,
  RangeSet,
  StateField,
  type Text,
  type Transaction,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { isTouched } from "./caret";
import { TableWidget } from "./table-widget";

interface Tables {
  /** Every table of the text, as far as the text is parsed. */
  all: DecorationSet;
  /** Those that are drawn: the caret is in none of them. */
  shown: DecorationSet;
}

interface Region {
  from: number;
  to: number;
}

/** What may turn tables far away into something else. */
const FAR = /```|~~~|<|>/u;
// A paragraph is longer than this only where it is no table.
const LINES_MAX = 500;

export const tables = StateField.define<Tables>({
  create(state) {
    const all = found(state, { from: 0, to: syntaxTree(state).length });
    return shown(RangeSet.of(all), state);
  },
  update(before, transaction) {
    const all = rescanned(before.all, transaction);
    const isSame = all === before.all && !transaction.selection && !transaction.docChanged;
    const isOpened = transaction.effects.length > 0 || transaction.reconfigured;
    return isSame && !isOpened ? before : shown(all, transaction.state);
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.shown),
});

function rescanned(before: DecorationSet, transaction: Transaction): DecorationSet {
  const { state, startState, changes } = transaction;
  if (transaction.docChanged) {
    return replaced(before.map(changes), state, regionsOf(changes, state, startState.doc));
  }
  const known = syntaxTree(startState);
  const isParsed = syntaxTree(state) !== known;
  return isParsed ? replaced(before, state, [grown(known.length, state)]) : before;
}

/** The part of the text that was parsed since: it may begin within a table. */
function grown(from: number, state: EditorState): Region {
  return { from: around(state.doc, from, from).from, to: syntaxTree(state).length };
}

function replaced(before: DecorationSet, state: EditorState, regions: Region[]): DecorationSet {
  let now = before;
  for (const { from, to } of regions) {
    const filter = (start: number, end: number): boolean => end < from || start > to;
    const add = found(state, { from, to });
    now = now.update({ filterFrom: from, filterTo: to, filter, add });
  }
  return now;
}

/** Where tables may have come or gone: the paragraphs that a change touches, or all. */
function regionsOf(changes: ChangeSet, state: EditorState, old: Text): Region[] {
  const regions: Region[] = [];
  let isFar = false;
  changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    isFar ||= FAR.test(old.sliceString(fromA, toA)) || FAR.test(inserted.sliceString(0));
    regions.push(around(state.doc, fromB, toB));
  });
  return isFar ? [{ from: 0, to: syntaxTree(state).length }] : regions;
}

/** Grows a region to the empty lines around it. */
function around(doc: Text, from: number, to: number): Region {
  let first = doc.lineAt(Math.min(from, doc.length));
  let last = doc.lineAt(Math.min(to, doc.length));
  for (let step = 0; step < LINES_MAX && first.number > 1 && first.text.trim(); step++) {
    first = doc.line(first.number - 1);
  }
  for (let step = 0; step < LINES_MAX && last.number < doc.lines && last.text.trim(); step++) {
    last = doc.line(last.number + 1);
  }
  return { from: first.from, to: last.to };
}

function found(state: EditorState, { from, to }: Region): Range<Decoration>[] {
  const ranges: Range<Decoration>[] = [];
  syntaxTree(state).iterate({
    from,
    to,
    enter(node) {
      if (node.name !== "Table") return node.name === "Document" || isHolder(node.name);
      const start = state.doc.lineAt(node.from);
      // A table within a list or a quote stays as it is written: its lines begin with other marks.
      if (start.from === node.from) ranges.push(drawn(state.doc, node.from, node.to));
      return false;
    },
  });
  return ranges;
}

function isHolder(name: string): boolean {
  return name === "Blockquote" || name.endsWith("List") || name === "ListItem";
}

function drawn(doc: Text, from: number, to: number): Range<Decoration> {
  const widget = new TableWidget(doc.sliceString(from, to));
  return Decoration.replace({ widget, block: true }).range(from, to);
}

function shown(all: DecorationSet, state: EditorState): Tables {
  let now = all;
  for (const { from, to } of state.selection.ranges) {
    const filter = (start: number, end: number): boolean => !isTouched(state, start, end);
    now = now.update({ filterFrom: from, filterTo: to, filter });
  }
  return { all, shown: now };
}

/** The table at a place of the text, drawn or not. */
export function tableAt(state: EditorState, at: number): Region | null {
  let table: Region | null = null;
  state.field(tables, false)?.all.between(at, at, (from, to) => {
    table = { from, to };
    return false;
  });
  return table;
}

/** The first or the last table that is drawn in a region. */
export function drawnTable(state: EditorState, region: Region, isFirst: boolean): Region | null {
  let table: Region | null = null;
  state.field(tables, false)?.shown.between(region.from, region.to, (from, to) => {
    table = { from, to };
    return isFirst ? false : undefined;
  });
  return table;
}
