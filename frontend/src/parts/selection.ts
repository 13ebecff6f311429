/** What is selected in a list: single lines by a click or a key, a stretch of them by shift. */
import { useRef, useState } from "preact/hooks";
import { tell, tellError } from "./notices";

export interface Selection<T> {
  lines: T[];
  has: (id: string) => boolean;
  toggle: (line: T, index: number) => void;
  /** Selects everything between the line selected last and this one. */
  extend: (index: number) => void;
  set: (lines: readonly T[]) => void;
  clear: () => void;
}

export interface SelectionProps<T> {
  /** The lines from one index to another, those that can be selected. */
  between: (first: number, last: number) => Promise<T[]>;
  /** How many can be selected at once, and what to say beyond that. */
  most: number;
  tooMany: string;
}

export function useSelection<T extends { id: string }>(given: SelectionProps<T>): Selection<T> {
  const [chosen, choose] = useState<ReadonlyMap<string, T>>(new Map());
  const anchor = useRef(0);
  const add = (before: ReadonlyMap<string, T>, lines: readonly T[]): ReadonlyMap<string, T> => {
    const all = new Map(before);
    for (const line of lines) all.set(line.id, line);
    if (all.size <= given.most) return all;
    tell(given.tooMany);
    return new Map([...all].slice(0, given.most));
  };
  return {
    lines: [...chosen.values()],
    has: (id) => chosen.has(id),
    toggle: (line, index) => {
      anchor.current = index;
      const without = new Map([...chosen].filter(([id]) => id !== line.id));
      choose(chosen.has(line.id) ? without : add(chosen, [line]));
    },
    extend: (index) => {
      const [first, last] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
      given
        .between(first, Math.min(last, first + given.most))
        .then((lines) => choose((before) => add(before, lines)), tellError);
    },
    set: (lines) => choose(add(new Map(), lines)),
    clear: () => choose(new Map()),
  };
}
