import { expect, test } from "vitest";
import { changesOf, cut } from "./changes";

const shown = (before: string, after: string) => {
  const { parts, count } = changesOf(before, after);
  const text = parts.map(({ kind, text: words }) => {
    if (kind === "same") return words;
    return kind === "added" ? `[+${words}+]` : `[-${words}-]`;
  });
  return [text.join(""), count];
};

test("words that came and went are shown in their place", () => {
  expect(shown("We ship in spring.", "We ship in May.")).toEqual([
    "We ship in [-spring-][+May+].",
    1,
  ]);
  expect(shown("같은 말.\n\n둘째.", "같은 말.\n\n셋째.")).toEqual([
    "같은 말.\n\n[-둘째-][+셋째+].",
    1,
  ]);
});

test("a long text is compared by lines, and changed lines by words", () => {
  const lines = Array.from({ length: 3000 }, (_, number) => `Line ${number} stays as it is.`);
  const before = lines.join("\n");
  const after = before.replace("Line 1500 stays", "Line 1500 goes").replace("Line 9 ", "줄 9 ");
  const { parts, count } = changesOf(before, after);
  expect(count).toBe(2);
  const changed = parts.filter((part) => part.kind !== "same").map((part) => part.text);
  expect(changed).toEqual(["Line", "줄", "stays", "goes"]);
});

test("nothing changed is no change", () => {
  expect(shown("하나", "하나")).toEqual(["하나", 0]);
});

test("long words that stayed are cut in their middle, and short ones are not", () => {
  expect(cut("짧다", false, false)).toBeNull();
  const [head, tail] = cut("가".repeat(5000), false, true)!;
  expect([head.length, tail]).toEqual([600, ""]);
});
