/** The two switches that every screen obeys: the branch, and the time. */
import { ChevronDown, Clock, GitBranch, GitFork } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../api/tools";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import { Icon } from "../parts/icon";
import { Float } from "../parts/menu";
import { Naming } from "../parts/naming";
import { Shown } from "../parts/state";
import { moment, When } from "../parts/time";
import { useAnswer } from "./answers";
import { frameWords } from "./frame-words";
import { ask, branch, go, link, time } from "./location";
import { may, me } from "./me";

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

function BranchList({ close }: { close: () => void }) {
  const words = frameWords();
  const [typed, type] = useState("");
  const query = typed.trim();
  const answer = useAnswer(() => call("page_branches", { query }), [query]);
  const choose = (name: string): void => {
    close();
    ask({ branch: name === me.value?.branch ? null : name });
  };
  return (
    <div class="switch-panel">
      <Field label={words.findBranch} value={typed} onInput={type} autofocus />
      <Shown answer={answer}>
        {({ branches }) =>
          branches.length === 0 ? (
            <p class="quiet-text">{words.noBranch}</p>
          ) : (
            <ul class="choices" aria-label={words.chooseBranch}>
              {branches.map((one) => (
                <li key={one.name}>
                  <button
                    type="button"
                    aria-current={one.name === branchName() ? "true" : undefined}
                    onClick={() => choose(one.name)}
                  >
                    <span>{one.name}</span>
                    {one.changed && <When at={one.changed} />}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <a class="button quiet" href={link("/branches")} onClick={close}>
        {words.allBranches}
      </a>
    </div>
  );
}

const HOUR_MS = 3_600_000;

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

function TimeList({ close }: { close: () => void }) {
  const words = frameWords();
  const [typed, type] = useState(time.value ? localTime(time.value) : "");
  const show = (at: string | null): void => {
    close();
    ask({ at });
  };
  const before = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const steps: [string, number][] = [
    [words.hourAgo, 1],
    [words.yesterday, 24],
    [words.weekAgo, 24 * 7],
    [words.monthAgo, 24 * 30],
  ];
  return (
    <form
      class="switch-panel"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed) show(new Date(typed).toISOString());
      }}
    >
      <ul class="choices" aria-label={words.chooseTime}>
        <li>
          <button
            type="button"
            aria-current={time.value === null ? "true" : undefined}
            onClick={() => show(null)}
          >
            {words.now}
          </button>
        </li>
        {steps.map(([label, hours]) => (
          <li key={hours}>
            <button type="button" onClick={() => show(before(hours))}>
              {label}
            </button>
          </li>
        ))}
      </ul>
      <Field type="datetime-local" label={words.exactTime} value={typed} onInput={type} />
      <Button submits disabled={!typed}>
        {words.goThere}
      </Button>
    </form>
  );
}

/** What an input for local times shows of a moment. */
function localTime(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
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
      {isForking && (
        <Naming
          title={words.forkTitle}
          label={words.forkName}
          button={words.forkCreate}
          make={forkHere}
          onClose={() => setForking(false)}
        />
      )}
    </div>
  );
}

/** Makes a branch from the past that the user looks at, and goes to its present. */
async function forkHere(name: string): Promise<void> {
  const at = time.peek() ?? "";
  await call("strata_branch", { action: "fork", name, at }, { at: null });
  go(link(location.pathname, { branch: name, at: null }));
}
