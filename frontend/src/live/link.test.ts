import { expect, test } from "vitest";
import { delayBefore } from "./link";

test("delays grow, stay bounded, and differ by chance", () => {
  const longest = [0, 1, 2, 10, 1000].map((attempt) => delayBefore(attempt, () => 1));
  expect(longest).toEqual([300, 600, 1200, 10_000, 10_000]);
  expect(delayBefore(2, () => 0)).toBe(600);
});
