/** How a decision stands: in words and with a sign, never by its colour alone. */
import { Archive, CircleCheck, CircleDashed, CircleDot, CircleX, Hourglass } from "lucide";
import { Icon, type IconNode } from "../../parts/icon";
import { decisionWords } from "./words";

export type Status = "SUCCESS" | "FAILED" | "PARTIAL" | "pending" | "isOverdue" | "superseded";

export const STATUSES: Record<Status, IconNode> = {
  SUCCESS: CircleCheck,
  FAILED: CircleX,
  PARTIAL: CircleDot,
  pending: CircleDashed,
  isOverdue: Hourglass,
  superseded: Archive,
};

const TONES: Partial<Record<Status, string>> = {
  SUCCESS: "good",
  FAILED: "bad",
  PARTIAL: "late",
  isOverdue: "late",
};

/** The outcome, and else what it waits for. */
export function statusOf(given: { outcome: string | null; isOverdue: boolean }): Status {
  if (given.outcome && given.outcome in STATUSES) return given.outcome as Status;
  return given.isOverdue ? "isOverdue" : "pending";
}

export function StatusMark({ of }: { of: Status }) {
  return (
    <span class={`status ${TONES[of] ?? ""}`}>
      <Icon of={STATUSES[of]} />
      {decisionWords()[of]}
    </span>
  );
}
