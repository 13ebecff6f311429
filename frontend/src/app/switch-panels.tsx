/** What the two switches open, and the dialog that forks from the past: loaded when asked for. */
import { useState } from "preact/hooks";
import { call } from "../api/tools";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import { Naming } from "../parts/naming";
import { Shown } from "../parts/state";
import { When } from "../parts/time";
import { useAnswer } from "./answers";
import { frameWords } from "./frame-words";
import { ask, go, link, time } from "./location";
import { me } from "./me";
import { branchName } from "./switches";
import { catalogue } from "./words";

const HOUR_MS = 3_600_000;

const panelWords = catalogue(
  {
    chooseBranch: "Choose a branch",
    findBranch: "Find a branch",
    noBranch: "No branch has this name.",
    allBranches: "All branches",
    chooseTime: "Look at a past time",
    hourAgo: "An hour ago",
    yesterday: "Yesterday",
    weekAgo: "A week ago",
    monthAgo: "A month ago",
    exactTime: "Date and time",
    goThere: "Show this time",
    forkTitle: "Fork from this moment",
    forkName: "Name of the new branch",
    forkCreate: "Fork",
  },
  {
    chooseBranch: "브랜치 고르기",
    findBranch: "브랜치 찾기",
    noBranch: "이런 이름의 브랜치가 없습니다.",
    allBranches: "모든 브랜치",
    chooseTime: "지난 시점 보기",
    hourAgo: "한 시간 전",
    yesterday: "어제",
    weekAgo: "일주일 전",
    monthAgo: "한 달 전",
    exactTime: "날짜와 시간",
    goThere: "이 시점 보기",
    forkTitle: "이 시점에서 포크",
    forkName: "새 브랜치 이름",
    forkCreate: "포크",
  },
);

export function BranchList({ close }: { close: () => void }) {
  const words = panelWords();
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

export function TimeList({ close }: { close: () => void }) {
  const words = panelWords();
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
            {frameWords().now}
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

/** Asks for the name of a branch that begins at the past moment which the user looks at. */
export function ForkNaming({ onClose }: { onClose: () => void }) {
  const words = panelWords();
  return (
    <Naming
      title={words.forkTitle}
      label={words.forkName}
      button={words.forkCreate}
      make={forkHere}
      onClose={onClose}
    />
  );
}

/** Makes a branch from the past that the user looks at, and goes to its present. */
async function forkHere(name: string): Promise<void> {
  const at = time.peek() ?? "";
  await call("strata_branch", { action: "fork", name, at }, { at: null });
  go(link(location.pathname, { branch: name, at: null }));
}
