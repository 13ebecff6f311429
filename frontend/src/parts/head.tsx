/** The head of a screen: its title, which takes the focus when the screen opens; its actions. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

let isFirst = true;

export function Head(given: { title: string; children?: ComponentChildren; note?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${given.title} – Strata`;
  }, [given.title]);
  useEffect(() => {
    // The first screen leaves the focus where the browser puts it.
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <header class="head">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {given.title}
        </h1>
        {given.note && <p class="note">{given.note}</p>}
      </div>
      {given.children && <div class="head-actions">{given.children}</div>}
    </header>
  );
}
