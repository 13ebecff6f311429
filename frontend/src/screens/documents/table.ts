/** A table of documents: of a place by rows that come into sight, of a search page by page. */
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { Calls, PageDocumentsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer, type Answer } from "../../app/answers";
import { tellError } from "../../parts/notices";

export type DocumentLine = PageDocumentsAnswer["documents"][number];
export type Asked = Omit<Calls["page_documents"]["arguments"], "offset" | "limit" | "cursor">;

export interface Table {
  head: Answer<PageDocumentsAnswer>;
  count: number;
  /** The document of a row, once it is here. */
  line: (index: number) => DocumentLine | undefined;
  /** Fetches rows that come into sight. */
  show: (last: number, first: number) => void;
  /** The documents of some rows, fetched where they are not here yet. */
  between: (first: number, last: number) => Promise<DocumentLine[]>;
  /** Fetches more of what a search found; null at the end. */
  more: (() => void) | null;
}

const PAGE = 100;

export function useTable(asked: Asked): Table {
  const head = useAnswer(
    () => call("page_documents", { ...asked, limit: PAGE }),
    [asked],
    (change) => change.kinds.includes("document"),
  );
  const first = head.value;
  const pages = useRef(new Map<number, Promise<DocumentLine[]>>());
  const lines = useRef(new Map<number, DocumentLine>());
  const sight = useRef({ first: 0, last: 0 });
  const [found, setFound] = useState<{ lines: DocumentLine[]; next: string | null } | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const latest = useRef(first);
  if (latest.current !== first) {
    latest.current = first;
    pages.current = new Map();
    const before = lines.current;
    // Rows below stay as they were until they are fetched anew; those of another place go.
    lines.current = new Map(first ? [...before].filter(([at]) => at >= PAGE) : []);
    first?.documents.forEach((one, at) => lines.current.set(at, one));
  }
  const page = (index: number): Promise<DocumentLine[]> => {
    const known = pages.current.get(index);
    if (known || !first) return known ?? Promise.resolve([]);
    if (index === 0) return Promise.resolve(first.documents);
    const of = pages.current;
    const coming = call("page_documents", { ...asked, offset: index * PAGE, limit: PAGE }).then(
      ({ documents }) => {
        if (pages.current === of) {
          documents.forEach((one, at) => lines.current.set(index * PAGE + at, one));
          redraw(0);
        }
        return documents;
      },
    );
    of.set(index, coming);
    return coming;
  };
  const total = first?.total ?? null;
  const stretch = (from: number, last: number): Promise<DocumentLine[]>[] => {
    const numbers = [];
    for (let at = Math.floor(from / PAGE); at * PAGE <= last; at++) numbers.push(at);
    return numbers.map(page);
  };
  const show = (last: number, from: number): void => {
    sight.current = { first: from, last };
    if (total === null || last <= PAGE) return;
    void Promise.all(stretch(from, Math.min(last, total) - 1)).catch(tellError);
  };
  useEffect(() => {
    setFound(null);
    show(sight.current.last, sight.current.first);
  }, [first]);
  const results = [...(first?.documents ?? []), ...(found?.lines ?? [])];
  const next = found ? found.next : (first?.next ?? null);
  const fetchMore = (): void =>
    void call("page_documents", { ...asked, limit: PAGE, cursor: next ?? "" }).then(
      (more) => setFound({ lines: [...(found?.lines ?? []), ...more.documents], next: more.next }),
      tellError,
    );
  const line = (index: number): DocumentLine | undefined =>
    total === null ? results[index] : lines.current.get(index);
  const between = async (from: number, last: number): Promise<DocumentLine[]> => {
    if (total === null) return results.slice(from, last + 1);
    const all = (await Promise.all(stretch(from, last))).flat();
    const skipped = Math.floor(from / PAGE) * PAGE;
    return all.slice(from - skipped, last + 1 - skipped);
  };
  return {
    head,
    count: total ?? results.length,
    line,
    show,
    between,
    more: next === null ? null : fetchMore,
  };
}
