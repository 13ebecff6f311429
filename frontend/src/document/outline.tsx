/** The headings of the text, on wide screens at its left. */
import type { Seat } from "./seat";
import { documentWords } from "./words";

const DEEPEST = 3;

export function Outline({ seat }: { seat: Seat }) {
  const words = documentWords();
  const shown = seat.headings.value.filter(({ level, name }) => level <= DEEPEST && name);
  const top = Math.min(...shown.map(({ level }) => level));
  if (shown.length < 2) return <div class="outline" />;
  return (
    <nav class="outline" aria-label={words.outline}>
      <ol>
        {shown.map((heading) => (
          <li key={heading.at} data-level={heading.level - top}>
            <button type="button" onClick={() => go(seat, heading.at)}>
              {heading.name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function go(seat: Seat, at: number): void {
  const { view } = seat.editor;
  const line = view.state.doc.lineAt(Math.min(at, view.state.doc.length));
  view.dispatch({ selection: { anchor: line.to } });
  seat.focus();
  seat.reveal(line.from);
}
