/** What a screen shows while it has nothing to show: loading, an error, or that there is none. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CircleAlert } from "lucide";
import type { ToolError } from "../api/tools";
import type { Answer } from "../app/answers";
import { address, branch, link, time } from "../app/location";
import { Button } from "./button";
import { Commands, Said } from "./commands";
import { Icon, type IconNode } from "./icon";
import { partWords } from "./words";

const PATIENCE_MS = 200;

/** Shows an answer when it is there, and what goes on until then. */
export function Shown<T>(given: { answer: Answer<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, reload } = given.answer;
  if (value !== undefined) return <>{given.children(value)}</>;
  if (error) return <Elsewhere error={error} retry={reload} />;
  return <Skeleton />;
}

/** Says what went wrong; where the branch or the time is to blame, leads away from it. */
function Elsewhere({ error, retry }: { error: ToolError; retry: () => void }) {
  const words = partWords();
  const { pathname } = address.value;
  const here = branch.value;
  if (time.value !== null && error.code === "invalid_time") {
    return (
      <Empty icon={CircleAlert} title={words.noTime(time.value)} isFailure>
        <a class="button" href={link(pathname, { at: null })}>
          {words.toNow}
        </a>
      </Empty>
    );
  }
  if (here !== null && error.code === "not_found" && error.details["branch"] === here) {
    return (
      <Empty icon={CircleAlert} title={words.noBranch(here)} isFailure>
        <a class="button" href={link(pathname, { branch: null })}>
          {words.toUsualBranch}
        </a>
      </Empty>
    );
  }
  return <Failed message={error.message} hint={error.hint} said={error.said} retry={retry} />;
}

export function Failed(given: {
  message: string;
  hint?: string;
  said?: string;
  retry?: () => void;
}) {
  return (
    <div class="empty" role="alert">
      <Icon of={CircleAlert} size={20} />
      <h2>
        <Commands text={given.message || partWords().failed} />
      </h2>
      {given.hint && (
        <p>
          <Commands text={given.hint} />
        </p>
      )}
      <Said text={given.said} />
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
export function Empty(given: {
  icon?: IconNode;
  title: string;
  /** Read out at once, because the user expected something else. */
  isFailure?: boolean;
  /** The whole page says this, so that it is the page's heading. */
  isWhole?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty" role={given.isFailure ? "alert" : undefined}>
      {given.icon && <Icon of={given.icon} size={20} />}
      {given.isWhole ? <h1>{given.title}</h1> : <h2>{given.title}</h2>}
      {given.children}
    </div>
  );
}
