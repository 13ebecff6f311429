/** A long table of facts, fetched page by page as it comes into sight. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { PageMemoryAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer, type Answer } from "../../app/answers";
import type { Change } from "../../app/feed";
import { tellError } from "../../parts/notices";

export type FactLine = PageMemoryAnswer["facts"][number];

export interface Table {
  head: Answer<PageMemoryAnswer>;
  /** The fact of a row, once it is here. */
  fact: (index: number) => FactLine | undefined;
  /** Fetches rows that come into sight. */
  show: (last: number, first: number) => void;
}

interface Part {
  /** The first page that it belongs to; of another one it is old. */
  of: PageMemoryAnswer;
  facts: FactLine[];
  next: string | null;
}

const PAGE = 100;

export const isAboutFacts = (change: Change): boolean => change.kinds.includes("fact");

export function useTable(namespace: string | null, prefix: string, query: string): Table {
  const asked = { prefix, query, limit: PAGE, ...(namespace ? { namespace } : {}) };
  const head = useAnswer(
    () => call("page_memory", asked),
    [namespace, prefix, query],
    isAboutFacts,
  );
  const parts = useRef(new Map<number, Part>());
  const coming = useRef(new Set<number>());
  const sight = useRef({ last: 0, first: 0 });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const first = head.value;
  const latest = useRef(first);
  latest.current = first;
  const fetch = async (index: number, of: PageMemoryAnswer): Promise<void> => {
    const before = index === 1 ? { of, next: of.next } : parts.current.get(index - 1);
    const isKnown = before?.of === of && before.next;
    const from = isKnown ? { cursor: String(before.next) } : { offset: index * PAGE };
    coming.current.add(index);
    try {
      const found = await call("page_memory", { ...asked, ...from });
      if (latest.current === of)
        parts.current.set(index, { of, facts: found.facts, next: found.next });
    } catch (error) {
      tellError(error);
    }
    coming.current.delete(index);
    redraw(0);
    if (latest.current !== of) show(sight.current.last, sight.current.first);
  };
  const show = (last: number, from: number): void => {
    sight.current = { last, first: from };
    if (!first) return;
    const end = Math.min(last, first.total) - 1;
    for (let index = Math.max(1, Math.floor(from / PAGE)); index * PAGE <= end; index++) {
      const isFresh = parts.current.get(index)?.of === first;
      if (!isFresh && !coming.current.has(index)) void fetch(index, first);
    }
  };
  useEffect(() => {
    if (!first) parts.current.clear();
    else show(sight.current.last, sight.current.first);
  }, [first]);
  const fact = (index: number): FactLine | undefined =>
    index < PAGE
      ? first?.facts[index]
      : parts.current.get(Math.floor(index / PAGE))?.facts[index % PAGE];
  return { head, fact, show };
}
