import { describe, expect, it } from "vitest";
import { layOut } from "./layout";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

describe("a graph of links", () => {
  it("puts the first node into the middle, and is the same each time", () => {
    const ties = names(20).map((target) => ({ source: "n0", target }));
    const placed = layOut(names(20), ties);
    expect(placed[0]).toEqual({ id: "n0", x: 0, y: 0 });
    expect(layOut(names(20), ties)).toEqual(placed);
  });

  it("keeps 200 nodes apart, and all at a place", () => {
    const ties = names(200).map((target, index) => ({ source: `n${index >> 1}`, target }));
    const placed = layOut(names(200), ties);
    for (const [index, one] of placed.entries()) {
      expect(Number.isFinite(one.x) && Number.isFinite(one.y)).toBe(true);
      for (const other of placed.slice(index + 1)) {
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(20);
      }
    }
  });

  it("takes ties to nodes that are not there, and to a node itself", () => {
    const placed = layOut(
      ["a"],
      [
        { source: "a", target: "a" },
        { source: "a", target: "gone" },
      ],
    );
    expect(placed).toEqual([{ id: "a", x: 0, y: 0 }]);
  });
});
