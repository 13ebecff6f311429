import { ChangeSet, Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { hunksOf, movedTo } from "./hunks";

/** Changes a text at places of the text as it was, and returns the suggestions that follow. */
function changed(text: string, ...edits: { from: number; to?: number; insert?: string }[]) {
  const changes = ChangeSet.of(edits, text.length);
  const after = changes.apply(Text.of(text.split("\n"))).toString();
  return hunksOf(changes, text, after).map((one) => {
    expect(text.slice(one.start, one.start + one.original.length)).toBe(one.original);
    return [one.original, one.replacement];
  });
}

test("a change within a word suggests the whole word", () => {
  expect(changed("We ship in May.", { from: 11, to: 14, insert: "June" })).toEqual([
    ["May.", "June."],
  ]);
  expect(changed("목요일에 배포한다", { from: 0, to: 3, insert: "금요일" })).toEqual([
    ["목요일에", "금요일에"],
  ]);
});

test("changes apart are suggestions of their own, and those of one word are one", () => {
  const text = "one two three";
  expect(changed(text, { from: 0, insert: "x" }, { from: 13, insert: "y" })).toEqual([
    ["one", "xone"],
    ["three", "threey"],
  ]);
  expect(changed(text, { from: 4, insert: "x" }, { from: 7, insert: "y" })).toEqual([
    ["two", "xtwoy"],
  ]);
});

test("words that are only added take a neighbour along", () => {
  expect(changed("a  b", { from: 2, insert: "new" })).toEqual([["a ", "a new"]]);
  expect(changed("end\n\nNext", { from: 5, insert: "New.\n\n" })).toEqual([
    ["Next", "New.\n\nNext"],
  ]);
  expect(changed("last\n", { from: 5, insert: "more" })).toEqual([["last\n", "last\nmore"]]);
  expect(changed("\n\nfirst", { from: 1, insert: "x" })).toEqual([["\nfirst", "x\nfirst"]]);
  expect(changed("", { from: 0, insert: "all new" })).toEqual([]);
});

test("what was changed back is no suggestion, and removed words are one", () => {
  expect(changed("one two", { from: 4, to: 7, insert: "two" })).toEqual([]);
  expect(changed("one two three", { from: 3, to: 7 })).toEqual([["one two", "one"]]);
});

test("a place moves with what others changed before it", () => {
  expect(movedTo(8, "one two three", "one and two three")).toBe(12);
  expect(movedTo(2, "one two three", "one and two three")).toBe(2);
  expect(movedTo(8, "one two three", "three")).toBe(0);
});
