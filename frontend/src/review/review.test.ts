import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { Comment, Suggestion } from "../api/types";
import type { Mark } from "../editor/marks";
import { arrange } from "./arrange";
import { apart, type Board } from "./board";
import { itemsOf } from "./items";

const card = (wanted: number, height = 50) => ({ wanted, height });

test("cards are beside their words, and give way to each other", () => {
  expect(arrange([card(0), card(200), card(210)], -1)).toEqual([0, 200, 258]);
});

test("the chosen card is exactly beside its words, and those above it give way", () => {
  expect(arrange([card(190), card(200), card(210)], 1)).toEqual([142, 200, 258]);
});

test("cards above the chosen one do not leave the page", () => {
  expect(arrange([card(0), card(5), card(10)], 2)).toEqual([0, 58, 116]);
});

function boardOf(comments: Partial<Comment>[], suggestions: Partial<Suggestion>[]): Board {
  const places: Record<string, number> = { c1: 20, s1: 5 };
  return {
    comments: signal(comments),
    suggestions: signal(suggestions),
    placeOf: (id: string) => (id in places ? { from: places[id]!, to: places[id]! + 1 } : null),
  } as unknown as Board;
}

test("what is to review comes in the order of its words, as far as it is wanted", () => {
  const board = boardOf(
    [
      { commentId: "gone", status: "active", body: "어디?" },
      { commentId: "c1", status: "active", body: "@소연 맞나요?" },
      { commentId: "old", status: "resolved", body: "끝" },
    ],
    [{ suggestionId: "s1" }],
  );
  const ids = (filter: Parameters<typeof itemsOf>[1]) =>
    itemsOf(board, filter, "소연").map((item) => item.id);
  expect(ids("all")).toEqual(["s1", "c1", "gone"]);
  expect(ids("suggestions")).toEqual(["s1"]);
  expect(ids("comments")).toEqual(["c1", "gone"]);
  expect(ids("mine")).toEqual(["c1"]);
  expect(ids("resolved")).toEqual(["old"]);
});

test("of suggestions about the same words one is drawn whole: the chosen one, or the first", () => {
  const mark = (id: string, from: number, to: number, isChosen = false): Mark => ({
    ...{ kind: "suggestion", id, from, to, replacement: "x", isChosen },
  });
  const beside = (marks: Mark[]): string[] =>
    apart(marks)
      .filter((one) => one.isBeside)
      .map((one) => one.id);
  expect(beside([mark("a", 0, 5), mark("b", 3, 8), mark("c", 8, 9)])).toEqual(["b"]);
  expect(beside([mark("a", 0, 5), mark("b", 3, 8, true), mark("c", 8, 9)])).toEqual(["a"]);
  expect(apart([null, mark("a", 0, 5)]).length).toBe(1);
});
