/** Keys that write markdown: bold, italic, code and links; deeper list items; rows of a table. */
import { syntaxTree } from "@codemirror/language";
import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type Extension,
  type Line,
  type SelectionRange,
} from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { rowsOf } from "./preview/cells";
import { tableAt } from "./preview/tables";

interface Style {
  /** How the parser names it. */
  node: string;
  mark: string;
}

/** One star for italics: an underscore does not end before a letter, such as a Korean particle. */
const STYLES = {
  bold: { node: "StrongEmphasis", mark: "**" },
  italic: { node: "Emphasis", mark: "*" },
  code: { node: "InlineCode", mark: "`" },
} as const satisfies Record<string, Style>;

export type StyleName = keyof typeof STYLES;

/** What a line begins with that is no part of its words: quotes, list marks, boxes, hashes. */
const BEGINNING = /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+)?/u;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s/u;
export const ADDRESS = /^https?:\/\/\S+$/u;
const LINES_MAX = 500;

export const formatting: Extension = keymap.of([
  { key: "Mod-b", run: (view) => toggle(view, "bold") },
  { key: "Mod-i", run: (view) => toggle(view, "italic") },
  { key: "Mod-e", run: (view) => toggle(view, "code") },
  { key: "Mod-Alt-k", run: makeLink },
  {
    key: "Tab",
    run: (view) => addRow(view) || deepen(view),
    shift: raise,
  },
]);

/** Sets the selected words in a style, or the word at the caret; takes the style away again. */
export function toggle(view: EditorView, name: StyleName): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  const style = STYLES[name];
  const change = state.changeByRange((range) => {
    const pieces = piecesOf(state, range);
    const [only] = pieces;
    if (!only) return range.empty && !isCode(state, range.head) ? opened(range, style) : { range };
    const styled = pieces.map((piece) => styledAround(state, piece, style));
    const changes = styled.every((node) => node !== null)
      ? styled.flatMap((node) => without(node!))
      : pieces.flatMap((piece, index) => (styled[index] ? [] : wrapped(piece, style)));
    const set = state.changes(changes);
    if (range.empty) {
      const head = set.mapPos(range.head, range.head === only.to ? -1 : 1);
      return { changes: set, range: EditorSelection.cursor(head) };
    }
    const from = set.mapPos(only.from, 1);
    const to = set.mapPos(pieces.at(-1)!.to, -1);
    return { changes: set, range: EditorSelection.range(from, to) };
  });
  view.dispatch(state.update(change, { userEvent: "input", scrollIntoView: true }));
  return true;
}

/** Makes a link of the selected words, or of a selected address, and asks for the other half. */
export function makeLink(view: EditorView): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  const { from, to } = state.selection.main;
  const words = state.sliceDoc(from, to);
  const isAddress = ADDRESS.test(words);
  const insert = isAddress ? `[](${words})` : `[${words}]()`;
  const anchor = isAddress || !words ? from + 1 : from + insert.length - 1;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: "input" });
  return true;
}

interface Piece {
  from: number;
  to: number;
}

/** The words of a selection, line by line; the word at the caret where nothing is selected. */
function piecesOf(state: EditorState, range: SelectionRange): Piece[] {
  const wanted = range.empty ? (state.wordAt(range.head) ?? range) : range;
  const pieces: Piece[] = [];
  for (let at = wanted.from; at <= wanted.to;) {
    const line = state.doc.lineAt(at);
    const start = line.from + BEGINNING.exec(line.text)![0].length;
    const words = state.sliceDoc(Math.max(start, wanted.from), Math.min(line.to, wanted.to));
    const from = Math.max(start, wanted.from) + words.length - words.trimStart().length;
    if (words.trim() && !isCode(state, from)) pieces.push({ from, to: from + words.trim().length });
    at = line.to + 1;
  }
  return pieces;
}

function isCode(state: EditorState, at: number): boolean {
  for (
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, 1);
    node;
    node = node.parent
  )
    if (node.name === "FencedCode" || node.name === "CodeBlock") return true;
  return false;
}

/** The part in this style that holds a piece, with its marks or without. */
function styledAround(state: EditorState, { from, to }: Piece, style: Style): SyntaxNode | null {
  const tree = syntaxTree(state);
  for (const start of [tree.resolveInner(from, 1), tree.resolveInner(to, -1)]) {
    for (let node: SyntaxNode | null = start; node; node = node.parent)
      if (node.name === style.node && node.from <= from && node.to >= to) return node;
  }
  return null;
}

function without({ firstChild, lastChild }: SyntaxNode): ChangeSpec[] {
  return [firstChild, lastChild].flatMap(
    (mark) => (mark && [{ from: mark.from, to: mark.to }]) || [],
  );
}

function wrapped({ from, to }: Piece, { mark }: Style): ChangeSpec[] {
  return [
    { from, insert: mark },
    { from: to, insert: mark },
  ];
}

/** Both marks, with the caret between them: what is typed next is in the style. */
function opened({ from }: SelectionRange, { mark }: Style) {
  const range = EditorSelection.cursor(from + mark.length);
  return { changes: { from, insert: mark + mark }, range };
}

/** Adds a row behind the last cell of a table. */
function addRow(view: EditorView): boolean {
  const { state } = view;
  const table = tableAt(state, state.selection.main.head);
  if (!table || state.readOnly) return false;
  const columns = rowsOf(state.sliceDoc(table.from, table.to))[0]?.cells.length ?? 1;
  const insert = `\n|${"  |".repeat(columns)}`;
  const selection = { anchor: table.to + "\n| ".length };
  view.dispatch({
    changes: { from: table.to, insert },
    selection,
    scrollIntoView: true,
    userEvent: "input",
  });
  return true;
}

/** Makes the chosen items of a list part of the item before them. */
function deepen(view: EditorView): boolean {
  const lines = chosenItems(view.state);
  const [first] = lines;
  if (!first) return false;
  const own = indentOf(first);
  const before = itemBefore(view.state, first, (indent) => indent <= own);
  // The first item of a list has none before it: the key does nothing, and stays in the text.
  if (!before || indentOf(before) < own) return true;
  const [, , mark = ""] = ITEM.exec(before.text)!;
  const insert = " ".repeat(mark.length + 1);
  view.dispatch({
    changes: lines.map(({ from }) => ({ from, insert })),
    userEvent: "input.indent",
  });
  return true;
}

/** Takes the chosen items out of the item that they are part of. */
function raise(view: EditorView): boolean {
  const lines = chosenItems(view.state);
  const [first] = lines;
  const own = first ? indentOf(first) : 0;
  if (!first || own === 0) return false;
  const parent = itemBefore(view.state, first, (indent) => indent < own);
  const step = own - (parent ? indentOf(parent) : 0);
  const changes = lines.map((line) => {
    return { from: line.from, to: line.from + Math.min(step, indentOf(line)) };
  });
  view.dispatch({ changes, userEvent: "delete.dedent" });
  return true;
}

/** The lines of the selection, where it begins in an item of a list. */
function chosenItems(state: EditorState): Line[] {
  const { from, to } = state.selection.main;
  const lines: Line[] = [];
  for (let at = from; at <= to && lines.length < LINES_MAX;) {
    const line = state.doc.lineAt(at);
    if (line.text.trim()) lines.push(line);
    at = line.to + 1;
  }
  const [first] = lines;
  const isList = first && ITEM.test(first.text) && !isCode(state, first.to);
  return isList && !state.readOnly ? lines : [];
}

/** The nearest item above whose indent fits, within the same list. */
function itemBefore(
  state: EditorState,
  { number }: Line,
  fits: (indent: number) => boolean,
): Line | null {
  for (let above = number - 1; above > 0 && number - above < LINES_MAX; above--) {
    const line = state.doc.line(above);
    const isItem = ITEM.test(line.text);
    if (isItem && fits(indentOf(line))) return line;
    // Words at the margin end the list.
    if (!isItem && line.text.trim() && indentOf(line) === 0) return null;
  }
  return null;
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length;
}
