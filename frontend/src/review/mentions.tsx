/** A place to write in that completes names behind `@`. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { reviewWords } from "./words";

export interface MentionsProps {
  label: string;
  placeholder: string;
  value: string;
  rows?: number;
  autofocus?: boolean;
  required?: boolean;
  names: () => readonly string[];
  onInput: (value: string) => void;
}

// A name may have one space in it.
const TYPED = /(?<=^|[\s([])@([\p{L}\p{N}_.-]*(?: [\p{L}\p{N}_.-]*)?)$/u;
const SHOWN = 5;

export function Mentions(given: MentionsProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, choose] = useState(0);
  useLayoutEffect(() => {
    if (given.autofocus) area.current?.focus({ preventScroll: true });
  }, []);
  const fitting = typed === null ? [] : given.names().filter((name) => fits(name, typed));
  const shown = fitting.slice(0, SHOWN);
  const look = (): void => {
    const { value, selectionStart } = area.current!;
    setTyped(TYPED.exec(value.slice(0, selectionStart))?.[1] ?? null);
    choose(0);
  };
  const put = (name: string): void => {
    const at = area.current!;
    const until = at.selectionStart;
    // Moves the caret at once: a key that follows belongs behind the name.
    at.setRangeText(`${name} `, until - (typed?.length ?? 0), until, "end");
    given.onInput(at.value);
    setTyped(null);
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const name = shown[chosen];
    if (name === undefined || event.isComposing) return;
    if (step) choose((chosen + step + shown.length) % shown.length);
    else if (event.key === "Enter" || event.key === "Tab") put(name);
    else if (event.key === "Escape") setTyped(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="mentions">
      <textarea
        ref={area}
        rows={given.rows ?? 2}
        aria-label={given.label}
        placeholder={given.placeholder}
        required={given.required ?? false}
        value={given.value}
        onInput={(event) => {
          given.onInput(event.currentTarget.value);
          look();
        }}
        onKeyDown={key}
        onBlur={() => setTyped(null)}
      />
      {shown.length > 0 && (
        <ul class="mention-list" role="listbox" aria-label={reviewWords().names}>
          {shown.map((name, index) => (
            <li
              key={name}
              role="option"
              aria-selected={index === chosen}
              onMouseDown={(event) => {
                event.preventDefault();
                put(name);
              }}
            >
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function fits(name: string, typed: string): boolean {
  return name.toLocaleLowerCase().includes(typed.toLocaleLowerCase());
}
