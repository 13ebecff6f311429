import { ensureSyntaxTree, forceParsing } from "@codemirror/language";
import { EditorSelection, EditorState } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { afterEach, expect, test } from "vitest";
import { markdownSupport } from "../markdown";
import { caret, focused } from "./caret";
import { cellBeside, padding, rowsOf, width } from "./cells";
import { preview, redrawn } from "./preview";
import { tables } from "./tables";

const TABLE = "| plan | 요금 |\n|---|--:|\n| free | 60 |\n| 팀 | 600 |";
const TEXT = `# 배포 계획

Ship **in May** with \`care\`, see [[Roadmap 2027]] and [docs](https://x.y).

${TABLE}

- [ ] 알리기
- one

> 인용

\`\`\`py
x = 1
| a | b |
|---|---|
\`\`\`

![그림](image:ab12)
`;

function stateOf(doc: string, at = 0, readOnly = false): EditorState {
  const extensions = [caret, tables, markdownSupport, EditorState.readOnly.of(readOnly)];
  const selection = EditorSelection.single(at);
  const state = EditorState.create({ doc, selection, extensions });
  ensureSyntaxTree(state, doc.length, 5000);
  return state.update({ effects: focused }).state;
}

/** The text as it is read: without what is hidden or drawn otherwise. */
function read(state: EditorState, drawn: DecorationSet): string {
  let out = "";
  let at = 0;
  for (const cursor = drawn.iter(); cursor.value; cursor.next()) {
    const isHidden = cursor.value.point && cursor.to > cursor.from;
    if (!isHidden || cursor.from < at) continue;
    out += state.sliceDoc(at, cursor.from);
    at = cursor.to;
  }
  return out + state.sliceDoc(at);
}

function draw(state: EditorState, before = Decoration.none, isComposing = false): DecorationSet {
  const ranges = [{ from: 0, to: state.doc.length }];
  return redrawn(before, { state, changes: state.changes([]), ranges, isComposing });
}

test("marks are hidden, and shown where the caret touches them", () => {
  const away = stateOf(TEXT, TEXT.length);
  const shown = read(away, draw(away));
  expect(shown).toContain("배포 계획\n\nShip in May with care, see Roadmap 2027 and docs.");
  expect(shown).not.toContain("](");
  const inBold = stateOf(TEXT, TEXT.indexOf("May"));
  expect(read(inBold, draw(inBold))).toContain("Ship **in May** with care");
  const inHeading = stateOf(TEXT, 3);
  expect(read(inHeading, draw(inHeading))).toContain("# 배포 계획");
});

test("a reader sees no marks, wherever the caret is", () => {
  const state = stateOf(TEXT, TEXT.indexOf("May"), true);
  expect(read(state, draw(state))).toContain("배포 계획\n\nShip in May with care");
});

function tablesIn(state: EditorState): string[] {
  const found: string[] = [];
  state.field(tables).all.between(0, state.doc.length, (from, to) => {
    found.push(state.sliceDoc(from, to));
  });
  return found;
}

function shownTables(state: EditorState): number {
  return state.field(tables).shown.size;
}

test("tables are found, but not in code, and the one with the caret is open", () => {
  const away = stateOf(TEXT);
  expect(tablesIn(away)).toEqual([TABLE]);
  expect(shownTables(away)).toBe(1);
  const within = away.update({ selection: { anchor: TEXT.indexOf("free") } }).state;
  expect(shownTables(within)).toBe(0);
  expect(shownTables(within.update({ selection: { anchor: 0 } }).state)).toBe(1);
});

test("tables follow the text, and come and go with what is typed", () => {
  let state = stateOf(TEXT);
  state = state.update({ changes: { from: 0, insert: "앞에 쓴 말 🚀\n\n" } }).state;
  expect(tablesIn(state)).toEqual([TABLE]);
  const cell = state.doc.toString().indexOf("60");
  state = state.update({ changes: { from: cell, to: cell + 2, insert: "육십" } }).state;
  expect(tablesIn(state)).toEqual([TABLE.replace("60", "육십")]);
  const bar = state.doc.toString().indexOf("|---|--:|");
  state = state.update({ changes: { from: bar, to: bar + 9 } }).state;
  expect(tablesIn(state)).toEqual([]);
  state = state.update({ changes: { from: bar, insert: "|---|--:|" } }).state;
  expect(tablesIn(state)).toHaveLength(1);
});

test("a fence that opens far above takes the tables below it", () => {
  const state = stateOf(`one\n\n${TABLE}\n`);
  const fenced = state.update({ changes: { from: 0, insert: "```\n" } }).state;
  expect(tablesIn(fenced)).toEqual([]);
  const again = fenced.update({ changes: { from: 0, to: 4 } }).state;
  expect(tablesIn(again)).toEqual([TABLE]);
});

test("the line of a word that is being composed keeps what is drawn in it", () => {
  const text = "**굵게** 다음\n\n**둘째** 줄\n";
  const at = text.indexOf(" 다음") + 3;
  const before = stateOf(text, at);
  const drawn = draw(before);
  expect(read(before, drawn)).toBe("굵게 다음\n\n둘째 줄\n");
  // The caret is moved into the bold words by the input method, and the letters change.
  const after = before.update({
    changes: { from: 4, insert: "ㅎ" },
    selection: { anchor: 5 },
  });
  const ranges = [{ from: 0, to: after.state.doc.length }];
  const given = { state: after.state, changes: after.changes, ranges };
  const composing = redrawn(drawn, { ...given, isComposing: true });
  expect(read(after.state, composing)).toBe("굵게ㅎ 다음\n\n둘째 줄\n");
  const ended = redrawn(composing, {
    ...given,
    changes: after.state.changes([]),
    isComposing: false,
  });
  expect(read(after.state, ended)).toBe("**굵게ㅎ** 다음\n\n둘째 줄\n");
});

let view: EditorView | null = null;
afterEach(() => {
  view?.destroy();
  view = null;
});

function open(doc: string): EditorView {
  const parent = document.body.appendChild(document.createElement("div"));
  view = new EditorView({ parent, doc, extensions: [markdownSupport, preview] });
  forceParsing(view, doc.length, 5000);
  return view;
}

test("drawing, moving the caret and opening tables write nothing", () => {
  const shown = open(TEXT);
  let changed = 0;
  shown.dispatch({ effects: focused });
  for (let at = 0; at <= TEXT.length; at += 1) {
    const transaction = shown.state.update({ selection: { anchor: at } });
    shown.dispatch(transaction);
    changed += Number(transaction.docChanged);
  }
  expect(shown.state.doc.toString()).toBe(TEXT);
  expect(changed).toBe(0);
  expect(shown.contentDOM.textContent).toContain("배포 계획");
});

test("a click on a box changes its task, and nothing else", () => {
  const shown = open(TEXT);
  shown.contentDOM.querySelector<HTMLInputElement>("input.cm-task")!.click();
  expect(shown.state.doc.toString()).toBe(TEXT.replace("- [ ] 알리기", "- [x] 알리기"));
});

test("cells know their words, their width and their neighbours", () => {
  const rows = rowsOf(TABLE);
  expect(rows.map((row) => row.cells.map((cell) => cell.text))).toEqual([
    ["plan", "요금"],
    ["---", "--:"],
    ["free", "60"],
    ["팀", "600"],
  ]);
  expect(TABLE.slice(rows[3]!.cells[0]!.from, rows[3]!.cells[0]!.to)).toBe("팀");
  expect(rowsOf("| a \\| b | c |")[0]!.cells.map((cell) => cell.text)).toEqual(["a \\| b", "c"]);
  expect([width("팀"), width("abc"), width("👩‍👩‍👧")]).toEqual([2, 3, 2]);
  expect(padding(rows).length).toBeGreaterThan(0);
  const next = cellBeside(rows, TABLE.indexOf("요금"), 1);
  expect(next?.text).toBe("free");
  expect(cellBeside(rows, TABLE.indexOf("free"), -1)?.text).toBe("요금");
  expect(cellBeside(rows, TABLE.indexOf("600"), 1)).toBeNull();
});
