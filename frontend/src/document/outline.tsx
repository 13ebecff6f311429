/** The headings of the text, on wide screens at its left. */
import { useState } from "preact/hooks";
import type { Seat } from "./seat";
import { documentWords } from "./words";

const DEEPEST = 3;
/** How many headings are listed at once: a text of some megabytes has thousands. */
const STEP = 200;

export function Outline({ seat }: { seat: Seat }) {
  const words = documentWords();
  const [most, setMost] = useState(STEP);
  const all = seat.headings.value
    .map((heading, index) => ({ ...heading, index }))
    .filter(({ level, name }) => level <= DEEPEST && name);
  const top = all.reduce((least, { level }) => Math.min(least, level), DEEPEST);
  if (all.length < 2) return <div class="outline" />;
  return (
    <nav class="outline" aria-label={words.outline}>
      <ol>
        {all.slice(0, most).map((heading) => (
          <li key={heading.index} data-level={heading.level - top}>
            <button type="button" onClick={() => seat.goTo(heading.index)}>
              {heading.name}
            </button>
          </li>
        ))}
      </ol>
      {all.length > most && (
        <button type="button" class="outline-more" onClick={() => setMost(most + STEP)}>
          {words.moreHeadings(all.length - most)}
        </button>
      )}
    </nav>
  );
}
