/** Finds the headings of a markdown text, and those above a place; fences hold none. */

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

export interface Heading {
  level: number;
  name: string;
  /** Where its line begins. */
  at: number;
}

/** Lists the headings of a text. */
export function headingsOf(text: string): Heading[] {
  const found: Heading[] = [];
  let fence = "";
  let at = 0;
  for (const line of text.split("\n")) {
    fence = fenceAfter(line, fence);
    const heading = fence ? null : headingOf(line);
    if (heading) found.push({ ...heading, at });
    at += line.length + 1;
  }
  return found;
}

/** Whether two lists show the same outline, wherever its headings are. */
export function areAlike(one: readonly Heading[], other: readonly Heading[]): boolean {
  const isAlike = ({ level, name }: Heading, index: number): boolean =>
    other[index]?.level === level && other[index].name === name;
  return one.length === other.length && one.every(isAlike);
}

/** Names the headings above a place, from the outermost to the innermost. */
export function headingPath(text: string, offset: number): string[] {
  let path: Heading[] = [];
  for (const heading of headingsOf(text.slice(0, offset))) {
    path = [...path.filter((above) => above.level < heading.level), heading];
  }
  return path.map((heading) => heading.name);
}

function headingOf(line: string): Omit<Heading, "at"> | null {
  const found = HEADING.exec(line);
  return found?.[1] ? { level: found[1].length, name: (found[2] ?? "").trim() } : null;
}

/** Returns the fence that is open after a line; empty when none is. */
function fenceAfter(line: string, open: string): string {
  const found = FENCE.exec(line);
  const mark = found?.[1];
  if (!mark) return open;
  if (!open) return mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && !found[2]?.trim();
  return closes ? "" : open;
}
