/** The two switches that every screen obeys: the branch, and the time. */
import { ChevronDown, Clock, GitBranch, GitFork } from "lucide";
import { useState } from "preact/hooks";
import { Button } from "../parts/button";
import { Icon } from "../parts/icon";
import { late } from "../parts/late";
import { Float } from "../parts/menu";
import { moment } from "../parts/time";
import { frameWords } from "./frame-words";
import { ask, branch, time } from "./location";
import { may, me } from "./me";

const BranchList = late(async () => (await import("./switch-panels")).BranchList);
const TimeList = late(async () => (await import("./switch-panels")).TimeList);
const ForkNaming = late(async () => (await import("./switch-panels")).ForkNaming);

/** The branch one looks at, by name. */
export function branchName(): string {
  return branch.value ?? me.value?.branch ?? "main";
}

export function BranchSwitch() {
  const words = frameWords();
  if (!may("page_branches")) return null;
  const face = (
    <>
      <Icon of={GitBranch} />
      <span class="switch-name">{branchName()}</span>
      <Icon of={ChevronDown} />
    </>
  );
  return (
    <Float
      class={branch.value ? "switch elsewhere" : "switch"}
      label={`${words.branch}: ${branchName()}`}
      face={face}
    >
      {(close) => <BranchList close={close} />}
    </Float>
  );
}

export function TimeSwitch() {
  const words = frameWords();
  const face = (
    <>
      <Icon of={Clock} />
      <span class="switch-name">{time.value ? moment(time.value) : words.now}</span>
      <Icon of={ChevronDown} />
    </>
  );
  return (
    <Float
      class={time.value ? "switch elsewhere" : "switch"}
      label={`${words.time}: ${time.value ? moment(time.value) : words.now}`}
      face={face}
    >
      {(close) => <TimeList close={close} />}
    </Float>
  );
}

/** Says that the screen shows the past, and what one can do from there. */
export function PastBanner() {
  const words = frameWords();
  const [isForking, setForking] = useState(false);
  if (time.value === null) return null;
  return (
    <div class="banner past" role="status">
      <Icon of={Clock} />
      <p>{words.past(branchName(), moment(time.value))}</p>
      <Button small onClick={() => ask({ at: null })}>
        {words.backToNow}
      </Button>
      {may("strata_branch") && (
        <Button small icon={GitFork} onClick={() => setForking(true)}>
          {words.fork}
        </Button>
      )}
      {isForking && <ForkNaming onClose={() => setForking(false)} />}
    </div>
  );
}
