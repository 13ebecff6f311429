/** What a screen shows while it has nothing to show: loading, an error, or that there is none. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CircleAlert } from "lucide";
import type { Answer } from "../app/answers";
import { Button } from "./button";
import { Icon, type IconNode } from "./icon";
import { partWords } from "./words";

const PATIENCE_MS = 200;

/** Shows an answer when it is there, and what goes on until then. */
export function Shown<T>(given: { answer: Answer<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, reload } = given.answer;
  if (value !== undefined) return <>{given.children(value)}</>;
  if (error) return <Failed message={error.message} hint={error.hint} retry={reload} />;
  return <Skeleton />;
}

export function Failed(given: { message: string; hint?: string; retry?: () => void }) {
  return (
    <div class="empty" role="alert">
      <Icon of={CircleAlert} size={20} />
      <h2>{given.message || partWords().failed}</h2>
      {given.hint && <p>{given.hint}</p>}
      {given.retry && <Button onClick={given.retry}>{partWords().retry}</Button>}
    </div>
  );
}

/** Grey lines, once an answer takes a moment. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div class="skeleton" role="status" aria-label={partWords().loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** Nothing there: says so, and names the button that changes it. */
export function Empty(given: { icon?: IconNode; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      {given.icon && <Icon of={given.icon} size={20} />}
      <h2>{given.title}</h2>
      {given.children}
    </div>
  );
}
