/** The facts below a prefix, one a row; only the rows in sight are in the page. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../../app/keys";
import { go } from "../../app/location";
import { Rows } from "../../parts/rows";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { factLink, type Place } from "../../app/memory-address";
import type { FactLine, Table } from "./table";
import { memoryWords } from "./words";

// Of a row in one line, and of one in two; as in the styles.
const ONE_LINE = 36;
const TWO_LINES = 60;
const WIDE = 620;

export interface FactListProps {
  table: Table;
  place: Place;
  query: string;
  total: number;
}

export function FactList({ table, place, query, total }: FactListProps) {
  const words = memoryWords();
  const box = useRef<HTMLDivElement>(null);
  const isWide = useIsWide(box);
  const [chosen, choose] = useState(-1);
  const path = (fact: FactLine): string =>
    factLink(fact.namespace, fact.key, place.prefix, { q: query });
  const move = (step: number): void => choose(Math.max(0, Math.min(chosen + step, total - 1)));
  const open = (): void => {
    const fact = table.fact(chosen);
    if (fact) go(path(fact));
  };
  useKeys([
    { keys: "j", label: words.next, act: () => move(1) },
    { keys: "k", label: words.previous, act: () => move(-1) },
    { keys: "Enter", label: words.open, act: open },
  ]);
  const row = (index: number) => {
    const fact = table.fact(index);
    if (!fact) return <span class="fact-row waiting">{words.loadingRow}</span>;
    return (
      <a
        class={["fact-row", index === chosen && "chosen"].filter(Boolean).join(" ")}
        href={path(fact)}
        aria-current={fact.key === place.key ? "true" : undefined}
        onClick={() => choose(index)}
      >
        <span class="fact-key" title={fact.key}>
          {fact.key.slice(place.prefix.length) || fact.key}
        </span>
        <span class="fact-value">{fact.value}</span>
        <span class="fact-who">
          <Who {...fact.who} />
        </span>
        {fact.changed && <When at={fact.changed} />}
      </a>
    );
  };
  const height = isWide ? ONE_LINE : TWO_LINES;
  return (
    <div
      ref={box}
      class={isWide ? "fact-list" : "fact-list narrow"}
      style={{ "--rows": `${total * height}px` }}
    >
      <Rows
        count={total}
        height={height}
        label={words.list}
        row={row}
        chosen={chosen}
        onReach={table.show}
      />
    </div>
  );
}

function useIsWide(box: { current: HTMLElement | null }): boolean {
  const [isWide, set] = useState(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => set(element.clientWidth >= WIDE);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isWide;
}
