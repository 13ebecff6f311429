/** What came and went between two texts: pieces in order, and which of them are one change. */
import { compare, type Piece } from "../../parts/diff";

export interface Part extends Piece {
  /** The change that it belongs to, counted from 0; -1 for words that stayed. */
  change: number;
}

/** Words that stayed are cut beyond this, before and behind each change. */
const KEPT_CHARACTERS = 600;

export function changesOf(before: string, after: string): { parts: Part[]; count: number } {
  const parts: Part[] = [];
  let count = 0;
  let isIn = false;
  for (const piece of pieces(before, after)) {
    const isSame = piece.kind === "same";
    // A blank between two changed words belongs to the change.
    const isJoint: boolean =
      isSame && isIn && !/\S/u.test(piece.text) && !piece.text.includes("\n");
    if (!isSame && !isIn) count += 1;
    isIn = !isSame || isJoint;
    parts.push({ ...piece, change: isSame ? -1 : count - 1 });
  }
  return { parts, count };
}

/** Long texts are compared by lines first; then the lines that changed, by words. */
function pieces(before: string, after: string): Piece[] {
  const found: Piece[] = [];
  for (const piece of compare(before, after)) {
    const last = found.at(-1);
    const isPair = last?.kind === "removed" && piece.kind === "added";
    if (isPair && piece.text.includes("\n")) found.splice(-1, 1, ...compare(last.text, piece.text));
    else found.push(piece);
  }
  return found;
}

/** The beginning and the end of words that stayed, with a gap where the middle is left out. */
export function cut(text: string, isFirst: boolean, isLast: boolean): [string, string] | null {
  const head = isFirst ? 0 : KEPT_CHARACTERS;
  const tail = isLast ? 0 : KEPT_CHARACTERS;
  if (text.length <= head + tail + KEPT_CHARACTERS) return null;
  return [text.slice(0, head), tail ? text.slice(-tail) : ""];
}
