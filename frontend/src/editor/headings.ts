/** Finds the headings that a place in a markdown text is below, fences respected. */

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

interface Heading {
  level: number;
  name: string;
}

/** Names the headings from the outermost to the innermost. */
export function headingPath(text: string, offset: number): string[] {
  let path: Heading[] = [];
  let fence = "";
  for (const line of text.slice(0, offset).split("\n")) {
    fence = fenceAfter(line, fence);
    const heading = fence ? null : headingOf(line);
    if (heading) path = [...path.filter((above) => above.level < heading.level), heading];
  }
  return path.map((heading) => heading.name);
}

function headingOf(line: string): Heading | null {
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
