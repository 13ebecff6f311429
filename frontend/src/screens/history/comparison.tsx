/** Two versions of a text as one: what came and what went, one change after the other by keys. */
import { ChevronLeft, ChevronRight } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../../app/keys";
import { Button } from "../../parts/button";
import { changesOf, cut, type Part } from "./changes";
import { historyWords } from "./words";

export function Changes({ before, after }: { before: string; after: string }) {
  const words = historyWords();
  const { parts, count } = useMemo(() => changesOf(before, after), [before, after]);
  const [now, setNow] = useState(-1);
  const place = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1): void => {
    if (count > 0) setNow(now < 0 && by < 0 ? count - 1 : (now + by + count) % count);
  };
  useEffect(() => {
    const shown = place.current?.querySelector(".is-now");
    shown?.scrollIntoView({ block: "center" });
  }, [now]);
  useKeys([
    { keys: "n", label: words.next, act: () => step(1) },
    { keys: "p", label: words.previous, act: () => step(-1) },
  ]);
  return (
    <section class="history-text" aria-label={words.text}>
      <header class="history-steps">
        <p aria-live="polite">
          {count === 0
            ? words.none
            : now < 0
              ? words.changeCount(count)
              : words.changes(now + 1, count)}
        </p>
        <Button
          kind="quiet"
          icon={ChevronLeft}
          label={words.previous}
          disabled={count === 0}
          onClick={() => step(-1)}
        />
        <Button
          kind="quiet"
          icon={ChevronRight}
          label={words.next}
          disabled={count === 0}
          onClick={() => step(1)}
        />
      </header>
      <div ref={place} class="history-words" tabIndex={0}>
        {parts.map((part, index) => (
          <PartView
            key={index}
            part={part}
            isNow={part.change === now && now >= 0}
            isFirst={index === 0}
            isLast={index === parts.length - 1}
          />
        ))}
      </div>
    </section>
  );
}

interface PartProps {
  part: Part;
  isNow: boolean;
  isFirst: boolean;
  isLast: boolean;
}

function PartView({ part, isNow, isFirst, isLast }: PartProps) {
  const look = isNow ? "is-now" : undefined;
  if (part.kind === "added") return <ins class={look}>{part.text}</ins>;
  if (part.kind === "removed") return <del class={look}>{part.text}</del>;
  const short = cut(part.text, isFirst, isLast);
  if (!short) return <span>{part.text}</span>;
  const [head, tail] = short;
  return (
    <>
      <span>{head}</span>
      <span class="gap">{historyWords().gap(part.text.length - head.length - tail.length)}</span>
      <span>{tail}</span>
    </>
  );
}
