import { ensureSyntaxTree } from "@codemirror/language";
import { EditorSelection, EditorState } from "@codemirror/state";
import { EditorView, runScopeHandlers } from "@codemirror/view";
import { afterEach, expect, test } from "vitest";
import { formatting } from "./formatting";
import { markdownSupport } from "./markdown";
import { preview } from "./preview/preview";

const open: EditorView[] = [];

afterEach(() => open.splice(0).forEach((view) => view.destroy()));

/** An editor on a text in which « and » are the ends of the selection, and ¦ is the caret. */
function editorOn(marked: string, readOnly = false): EditorView {
  const doc = marked.replace(/[«»¦]/gu, "");
  const start = marked.search(/[«¦]/u);
  const end = marked.includes("»") ? marked.indexOf("»") - 1 : start;
  const extensions = [markdownSupport, preview, formatting, EditorState.readOnly.of(readOnly)];
  const selection = EditorSelection.single(start, end);
  const view = new EditorView({ state: EditorState.create({ doc, selection, extensions }) });
  ensureSyntaxTree(view.state, doc.length, 5000);
  open.push(view);
  return view;
}

function shown({ state }: EditorView): string {
  const { from, to, empty } = state.selection.main;
  const text = state.doc.toString();
  if (empty) return `${text.slice(0, from)}¦${text.slice(from)}`;
  return `${text.slice(0, from)}«${text.slice(from, to)}»${text.slice(to)}`;
}

function after(marked: string, ...keys: string[]): string {
  const view = editorOn(marked);
  for (const key of keys) press(view, key);
  return shown(view);
}

function press(view: EditorView, key: string): boolean {
  const parts = key.split("-");
  const name = parts.pop()!;
  const event = new KeyboardEvent("keydown", {
    key: name,
    ctrlKey: parts.includes("Ctrl"),
    altKey: parts.includes("Alt"),
    shiftKey: parts.includes("Shift"),
  });
  ensureSyntaxTree(view.state, view.state.doc.length, 5000);
  return runScopeHandlers(view, event, "editor");
}

test("words are set in bold, italics and code, and back", () => {
  expect(after("We «ship» in May", "Ctrl-b")).toBe("We **«ship»** in May");
  expect(after("We «ship» in May", "Ctrl-b", "Ctrl-b")).toBe("We «ship» in May");
  expect(after("We «**ship**» in May", "Ctrl-b")).toBe("We «ship» in May");
  expect(after("«목요일»에 배포", "Ctrl-i")).toBe("*«목요일»*에 배포");
  expect(after("a «b» c", "Ctrl-e", "Ctrl-e", "Ctrl-e")).toBe("a `«b»` c");
  expect(after("a «b» c", "Ctrl-b", "Ctrl-i")).toBe("a ***«b»*** c");
  expect(after("a «b» c", "Ctrl-b", "Ctrl-i", "Ctrl-b")).toBe("a *«b»* c");
});

test("without a selection it is the word at the caret, or what is typed next", () => {
  expect(after("We sh¦ip", "Ctrl-b")).toBe("We **sh¦ip**");
  expect(after("We ship¦", "Ctrl-b")).toBe("We **ship¦**");
  expect(after("We **sh¦ip**", "Ctrl-b")).toBe("We sh¦ip");
  expect(after("We ¦", "Ctrl-i")).toBe("We *¦*");
});

test("several lines are styled one by one, without their marks and blanks", () => {
  const marked = "«# 계획 \n\n- [ ] one\n> two»";
  expect(after(marked, "Ctrl-b")).toBe("# **«계획** \n\n- [ ] **one**\n> **two»**");
  expect(after(marked, "Ctrl-b", "Ctrl-b")).toBe("# «계획 \n\n- [ ] one\n> two»");
});

test("code is not styled, and a reader changes nothing", () => {
  expect(after("```\n«x = 1»\n```", "Ctrl-b")).not.toContain("**x");
  const view = editorOn("We «ship»", true);
  expect(press(view, "Ctrl-b")).toBe(false);
  expect(press(view, "Ctrl-Alt-k")).toBe(false);
  expect(shown(view)).toBe("We «ship»");
});

test("a link is made of words, of an address, and of nothing", () => {
  expect(after("see «the docs» now", "Ctrl-Alt-k")).toBe("see [the docs](¦) now");
  expect(after("see «https://x.y/z»", "Ctrl-Alt-k")).toBe("see [¦](https://x.y/z)");
  expect(after("see ¦", "Ctrl-Alt-k")).toBe("see [¦]()");
});

test("an item becomes part of the one before, and comes out again", () => {
  expect(after("- a\n- b¦", "Tab")).toBe("- a\n  - b¦");
  expect(after("- a\n- b¦", "Tab", "Tab")).toBe("- a\n  - b¦");
  expect(after("- a\n- b¦", "Tab", "Shift-Tab")).toBe("- a\n- b¦");
  expect(after("10. a\n11. b¦", "Tab")).toBe("10. a\n    11. b¦");
  expect(after("- a\n- «b\n  - c»\n- d", "Tab")).toBe("- a\n  - «b\n    - c»\n- d");
  expect(after("- a\n  - b\n    - c¦", "Shift-Tab")).toBe("- a\n  - b\n  - c¦");
});

test("Tab leaves the text where there is no list and no table", () => {
  expect(press(editorOn("Words¦"), "Tab")).toBe(false);
  expect(press(editorOn("- a¦"), "Shift-Tab")).toBe(false);
  expect(press(editorOn("```\n- a\n- b¦\n```"), "Tab")).toBe(false);
});

test("behind the last cell of a table begins a new row", () => {
  const table = "| a | b |\n|---|---|\n| 1 | 2¦ |";
  expect(after(table, "Tab")).toBe("| a | b |\n|---|---|\n| 1 | 2 |\n| ¦ |  |");
});
