/** Values as people type them: text as it is, JSON checked and with a place for each mistake. */
import type { Json } from "../../../../docs/reference/page";

/** A text area with more keeps the page waiting at each key. */
export const EDITED_CHARACTERS_MAX = 200_000;

export interface JsonFault {
  /** What is wrong; places count from one. */
  line: number;
  column: number;
  isNumber?: boolean;
}

/** Reads JSON; a fault says where it stops being one. */
export function readJson(text: string): { value: Json } | { fault: JsonFault } {
  try {
    const value = JSON.parse(text) as Json;
    const lost = lostNumber(text);
    return lost < 0 ? { value } : { fault: { ...placeAt(text, lost), isNumber: true } };
  } catch (error) {
    return { fault: placeAt(text, positionIn(String(error), text)) };
  }
}

/** Whether a value holds numbers that this page cannot keep exactly. */
export function isInexact(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some((one) => isInexact(one as Json));
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/gu;

/** Where a whole number is that JavaScript would round; -1 if nowhere. */
function lostNumber(text: string): number {
  for (const found of text.matchAll(STRING_OR_NUMBER)) {
    const isNumber = !found[0].startsWith('"');
    if (isNumber && found[0].length > 15 && !Number.isSafeInteger(Number(found[0])))
      return found.index;
  }
  return -1;
}

/** Browsers say where in words of their own; without a place it is the end. */
function positionIn(message: string, text: string): number {
  const position = /position (\d+)/u.exec(message);
  if (position) return Number(position[1]);
  const place = /line (\d+) column (\d+)/u.exec(message);
  if (!place) return text.length;
  const before = text.split("\n").slice(0, Number(place[1]) - 1);
  return before.reduce((sum, line) => sum + line.length + 1, 0) + Number(place[2]) - 1;
}

function placeAt(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
