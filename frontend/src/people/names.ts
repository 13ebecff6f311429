/** What of a name fits into a circle. */
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const first = firstLetter(words[0] ?? "?");
  const last = words.length > 1 ? firstLetter(words.at(-1) ?? "") : "";
  return (first + last).toLocaleUpperCase();
}

function firstLetter(word: string): string {
  for (const part of letters.segment(word)) return part.segment;
  return "";
}
