/** How much waits in the inbox, beside its name in the navigation. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api/tools";
import { useAnswer } from "./answers";
import type { Change } from "./feed";
import { frameWords } from "./frame-words";
import { may } from "./me";
import { number } from "./words";

// Behind what the screen needs first.
const WAIT_MS = 1000;
const QUIET_MS = 1000;

const counted = signal({ count: 0, more: false });

/** Asks once for all places that show the count. */
export function CountWaiting() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isTime && may("page_waiting") ? <Asking /> : null;
}

function Asking() {
  const { value } = useAnswer(() => call("page_waiting", {}), [], matters, {
    quietMs: QUIET_MS,
    anyBranch: true,
  });
  useEffect(() => {
    if (value) counted.value = value;
  }, [value]);
  return null;
}

export function Waiting() {
  const { count, more } = counted.value;
  if (count === 0) return null;
  const shown = `${number(count)}${more ? "+" : ""}`;
  return (
    <>
      <span class="waiting" aria-hidden="true">
        {shown}
      </span>
      <span class="sr-only">{frameWords().waiting(shown)}</span>
    </>
  );
}

/** What is typed in documents makes nothing wait. */
function matters(change: Change): boolean | undefined {
  return change.tasks || change.kinds.some((kind) => kind !== "document");
}
