/** Two texts as one: words that went, words that came. */
import { diffArrays } from "diff";

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
// Beyond this the comparison would keep the page waiting; then it goes by lines.
const WORDS_MAX = 20_000;

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

export function compare(before: string, after: string): Piece[] {
  const isLong = before.length + after.length > WORDS_MAX;
  const split = isLong ? lines : words;
  return diffArrays(split(before), split(after)).map((part) => ({
    kind: part.added ? "added" : part.removed ? "removed" : "same",
    text: part.value.join(""),
  }));
}

export function Diff({ before, after }: { before: string; after: string }) {
  return (
    <span class="diff">
      {compare(before, after).map((piece, index) => {
        if (piece.kind === "added") return <ins key={index}>{piece.text}</ins>;
        if (piece.kind === "removed") return <del key={index}>{piece.text}</del>;
        return <span key={index}>{piece.text}</span>;
      })}
    </span>
  );
}

function words(text: string): string[] {
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

function lines(text: string): string[] {
  return text.split(/(?<=\n)/u);
}
