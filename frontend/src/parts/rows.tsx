/** A list of rows of one height, of which only those in sight are in the page: 100,000 are fine. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface RowsProps {
  count: number;
  /** In pixels; every row has it. */
  height: number;
  label: string;
  /** Draws one row. */
  row: (index: number) => ComponentChildren;
  /** The row to keep in sight. */
  chosen?: number;
  /** Called with the last and the first row in sight, so that the caller can fetch them. */
  onReach?: (last: number, first: number) => void;
  class?: string;
}

const SPARE = 8;
// Browsers draw nothing beyond some millions of pixels.
const HEIGHT_MAX = 8_000_000;

export function Rows({ count, height, label, row, chosen, onReach, class: name }: RowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const whole = count * height;
  const shown = Math.min(whole, HEIGHT_MAX);
  const ratio = shown > view.height ? (whole - view.height) / (shown - view.height) : 1;
  const top = view.top * ratio;
  const first = Math.max(0, Math.floor(top / height) - SPARE);
  const last = Math.min(count, Math.ceil((top + view.height) / height) + SPARE);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  useEffect(() => onReach?.(last, first), [last, first, count]);
  useEffect(() => {
    const element = frame.current;
    if (chosen === undefined || chosen < 0 || !element) return;
    const from = (chosen * height) / ratio;
    if (from < element.scrollTop) element.scrollTop = from;
    const bottom = from + height / ratio - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
  }, [chosen]);
  return (
    <div
      ref={frame}
      class={["rows", name].filter(Boolean).join(" ")}
      role="list"
      aria-label={label}
      tabIndex={0}
    >
      <div class="rows-space" style={{ height: `${shown}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, step) => {
          const index = first + step;
          const at = index * height - top + view.top;
          return (
            <div
              key={index}
              role="listitem"
              class="rows-row"
              style={{ height: `${height}px`, transform: `translateY(${at}px)` }}
            >
              {row(index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
