/** The cells of a table, as its source has them. */

export interface Cell {
  text: string;
  /** Where its words begin and end, counted from the beginning of the table. */
  from: number;
  to: number;
}

export interface Row {
  cells: Cell[];
  from: number;
  to: number;
}

export type Align = "start" | "center" | "end";

const SCRIPTS = ["Hangul", "Han", "Hiragana", "Katakana"].map((name) => `\\p{Script=${name}}`);
const WIDE = new RegExp(`${SCRIPTS.join("|")}|\\p{Emoji_Presentation}|[\uff00-\uff60]`, "u");
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function rowsOf(source: string): Row[] {
  const rows: Row[] = [];
  let from = 0;
  for (const line of source.split("\n")) {
    rows.push({ cells: cellsOf(line, from), from, to: from + line.length });
    from += line.length + 1;
  }
  return rows;
}

function cellsOf(line: string, start: number): Cell[] {
  const cells: Cell[] = [];
  const body = line.trimEnd();
  let at = body.length - body.trimStart().length;
  if (body[at] === "|") at += 1;
  while (at <= body.length) {
    const end = barAfter(body, at);
    if (end === body.length && at >= body.length && cells.length > 0) break;
    const raw = body.slice(at, end);
    const text = raw.trim();
    const from = text ? at + raw.indexOf(text) : Math.min(at + 1, end);
    cells.push({ text, from: start + from, to: start + from + text.length });
    at = end + 1;
  }
  return cells;
}

/** The next bar that is not escaped; the end of the line where there is none. */
function barAfter(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === "|") return at;
  }
  return line.length;
}

/** How the columns are aligned, as the second row says. */
export function alignments(rows: readonly Row[]): Align[] {
  return (rows[1]?.cells ?? []).map(({ text }) => {
    if (!text.endsWith(":")) return "start";
    return text.startsWith(":") ? "center" : "end";
  });
}

/** How many columns of a terminal a text takes: Hangul and emoji take two. */
export function width(text: string): number {
  let sum = 0;
  for (const { segment } of letters.segment(text)) sum += WIDE.test(segment) ? 2 : 1;
  return sum;
}

/** How many blanks each cell lacks, so that all bars stand below each other. */
export function padding(rows: readonly Row[]): { at: number; count: number }[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.cells.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, width(cell.text));
    }
  }
  return rows.flatMap((row) =>
    row.cells
      .map((cell, index) => ({ at: cell.to, count: widths[index]! - width(cell.text) }))
      .filter(({ count }) => count > 0),
  );
}

/** The cell before or behind a place, over the ends of rows; null at the end of the table. */
export function cellBeside(rows: readonly Row[], at: number, step: 1 | -1): Cell | null {
  const cells = rows.filter((_, index) => index !== 1).flatMap((row) => row.cells);
  const here = cells.findIndex((cell) => at <= cell.to);
  const now = here < 0 ? cells.length - 1 : here;
  return cells[now + step] ?? null;
}
