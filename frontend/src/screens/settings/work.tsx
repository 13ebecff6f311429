/** Long work of the server: how far it is, asked again while it goes on. */
import { useEffect, useRef } from "preact/hooks";
import type { PageHealthAnswer } from "../../../../docs/reference/page";
import { Commands } from "../../parts/commands";
import { settingsWords } from "./words";

export type Work = NonNullable<PageHealthAnswer["verification"]>;

const LOOK_MS = 700;

/** Calls a function again and again while something goes on and the page is in sight. */
export function useWhile(isGoing: boolean, act: () => void, every = LOOK_MS): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isGoing) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current();
    }, every);
    return () => clearInterval(timer);
  }, [isGoing, every]);
}

export function isGoing(work: Work | null | undefined): boolean {
  return work != null && work.ended === null;
}

/** A bar while the work goes on; what went wrong, if it did. */
export function Progress({ work, label }: { work: Work | null; label?: string }) {
  const words = settingsWords().work;
  if (!work) return null;
  if (work.error)
    return (
      <p class="field-error" role="alert">
        {words.failed} <Commands text={work.error} />
      </p>
    );
  if (work.ended !== null) return null;
  const { done, total } = work;
  return (
    <div class="progress" role="status">
      <span>
        {label ?? words.running} {total > 1 && words.of(done, total)}
      </span>
      <progress
        aria-label={label ?? words.running}
        {...(total > 0 ? { value: done, max: total } : {})}
      />
    </div>
  );
}
