/** The row of something that was found, whatever its kind. */
import type { PageHit } from "../api/types";
import { hitIcon, hitPath } from "./hit-link";
import { Icon } from "./icon";
import { When } from "./time";
import { Who } from "./who";
import { partWords } from "./words";

export function HitRow({ hit, why }: { hit: PageHit; why?: string }) {
  return (
    <a class="hit" href={hitPath(hit)}>
      <span class="hit-head">
        <Icon of={hitIcon(hit.kind)} />
        <strong>{hit.title}</strong>
        {hit.caveat && <span class="tag caveat">{caveatOf(hit.caveat)}</span>}
        {hit.changed && <When at={hit.changed} />}
      </span>
      {hit.snippet && (
        <span class="hit-snippet">
          <Marked text={hit.snippet} marks={hit.marks ?? []} />
        </span>
      )}
      <span class="hit-detail">
        {hit.place && <span>{hit.place}</span>}
        {why && <span>{why}</span>}
        <Who {...hit.who} />
      </span>
    </a>
  );
}

/** What to know before relying on a hit, as the server says it, in the language of the user. */
export function caveatOf(said: string): string {
  const words: Record<string, (rest: string) => string> = partWords().caveats;
  const parts = said.split(new RegExp(`; (?=${Object.keys(words).join("|")})`, "u"));
  const inWords = (part: string): string => {
    const begins = Object.keys(words).find((one) => part.startsWith(one));
    return begins ? words[begins]!(part.slice(begins.length).replace(/^:? /u, "")) : part;
  };
  return parts.map(inWords).join("; ");
}

/** A text with some of its words marked. */
export function Marked({ text, marks }: { text: string; marks: readonly (readonly number[])[] }) {
  const pieces = [];
  let from = 0;
  for (const [start = 0, end = 0] of marks) {
    if (start < from || end > text.length) continue;
    pieces.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <>
      {pieces}
      {text.slice(from)}
    </>
  );
}
