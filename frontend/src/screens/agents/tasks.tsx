/** What screens of tasks have in common: a status in words and colour, how long, news, acts. */
import { Ban, CircleCheck, CircleDashed, CircleX, LoaderCircle, TimerOff } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageTasksAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { changes } from "../../app/feed";
import { go, link, time } from "../../app/location";
import { Icon } from "../../parts/icon";
import { tell, tellError } from "../../parts/notices";
import { agentWords } from "./words";
import "./agents.css";

export type TaskLine = PageTasksAnswer["tasks"][number];
export type Status = TaskLine["status"];

export const STATUSES = [
  "pending",
  "running",
  "completed",
  "failed",
  "cancelled",
  "timedOut",
] as const;

const ICONS = {
  pending: CircleDashed,
  running: LoaderCircle,
  completed: CircleCheck,
  failed: CircleX,
  cancelled: Ban,
  timedOut: TimerOff,
};

const TONES: Partial<Record<Status, string>> = {
  running: "busy",
  completed: "good",
  failed: "bad",
  timedOut: "late",
};

export function StatusTag({ task }: { task: TaskLine }) {
  const words = agentWords();
  return (
    <span class={`status ${TONES[task.status] ?? ""}`}>
      <Icon of={ICONS[task.status]} />
      {task.isStopping ? words.stopping : words[task.status]}
    </span>
  );
}

export function isOpen(task: TaskLine): boolean {
  return task.ended === null;
}

export function taskPath(id: string): string {
  return link(`/tasks/${encodeURIComponent(id)}`);
}

/** Calls `act` when the user's tasks have changed, and when an agent has committed something. */
export function useTaskNews(act: () => void): void {
  useEffect(
    () =>
      changes.on((change) => void ((change.tasks || change.who?.task) && !time.peek() && act())),
    [act],
  );
}

const SECOND_MS = 1000;

/** How long a task has run: counted on while it does, by the clock of this browser. */
export function Elapsed({ task }: { task: TaskLine }) {
  const words = agentWords();
  const [now, tick] = useState(Date.now());
  const isRunning = task.started !== null && isOpen(task);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => tick(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (task.started === null) return null;
  const end = task.ended === null ? now : Date.parse(task.ended);
  return <span class="elapsed">{words.took((end - Date.parse(task.started)) / SECOND_MS)}</span>;
}

export async function cancel(task: TaskLine): Promise<void> {
  try {
    const now = await call("page_cancel_task", { taskId: task.id });
    const words = agentWords();
    tell(now.isStopping ? words.stopsSoon : words.isCancelled);
  } catch (error) {
    tellError(error);
  }
}

/** Asks for the same again, and shows the new task. */
export async function repeat(task: TaskLine): Promise<void> {
  try {
    go(taskPath((await call("page_repeat_task", { taskId: task.id })).id));
  } catch (error) {
    tellError(error);
  }
}
