/** What was changed in a text, as suggestions of other words. */
import type { ChangeDesc } from "@codemirror/state";

export interface Hunk {
  /** Where the words begin in the text that was changed. */
  start: number;
  original: string;
  replacement: string;
}

interface Span {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

const SPACE = /\s/u;

/**
 * Returns a suggestion for each stretch of whole words that was changed.
 *
 * Words that are only added take a neighbour along, because a suggestion is about words that are
 * there; in an empty text there are none.
 */
export function hunksOf(changes: ChangeDesc, before: string, after: string): Hunk[] {
  const spans: Span[] = [];
  changes.iterChangedRanges((from, to, newFrom, newTo) => {
    const span = widened({ from, to, newFrom, newTo }, before);
    const last = spans.at(-1);
    if (last && span.from <= last.to) {
      last.newTo = span.newTo + Math.max(0, last.to - span.to);
      last.to = Math.max(last.to, span.to);
    } else spans.push(span);
  });
  return spans
    .map(({ from, to, newFrom, newTo }) => ({
      start: from,
      original: before.slice(from, to),
      replacement: after.slice(newFrom, newTo),
    }))
    .filter((one) => one.original !== "" && one.original !== one.replacement);
}

/** Takes in the rest of the words at both ends, or else the word before, or the word behind. */
function widened(span: Span, before: string): Span {
  let left = wordBefore(before, span.from);
  let right = wordBehind(before, span.to);
  if (left === 0 && right === 0 && span.from === span.to) {
    left = blankBefore(before, span.from);
    left += wordBefore(before, span.from - left);
    if (left === span.from && before.slice(0, span.from).trim() === "") {
      left = 0;
      right = blankBehind(before, span.to);
      right += wordBehind(before, span.to + right);
    }
  }
  return {
    from: span.from - left,
    to: span.to + right,
    newFrom: span.newFrom - left,
    newTo: span.newTo + right,
  };
}

function wordBefore(text: string, at: number): number {
  return stretch(text, at, -1, (letter) => !SPACE.test(letter));
}

function wordBehind(text: string, at: number): number {
  return stretch(text, at, 1, (letter) => !SPACE.test(letter));
}

function blankBefore(text: string, at: number): number {
  return stretch(text, at, -1, (letter) => SPACE.test(letter));
}

function blankBehind(text: string, at: number): number {
  return stretch(text, at, 1, (letter) => SPACE.test(letter));
}

/** How many letters from a place on, in a direction, fit. */
function stretch(
  text: string,
  at: number,
  step: 1 | -1,
  fits: (letter: string) => boolean,
): number {
  let count = 0;
  const letter = (): string | undefined => text[step === 1 ? at + count : at - count - 1];
  for (let here = letter(); here !== undefined && fits(here); here = letter()) count++;
  return count;
}

/** Where a place of a text is after others have changed a part of it. */
export function movedTo(at: number, before: string, now: string): number {
  const most = Math.min(before.length, now.length);
  let same = 0;
  while (same < most && before[same] === now[same]) same++;
  return at <= same ? at : Math.max(same, at + now.length - before.length);
}
