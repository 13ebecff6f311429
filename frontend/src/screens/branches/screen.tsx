/** All branches: how far each is from where it came, and what one can do with it. */
import { Ellipsis, GitBranch, GitCompare, Plus, RotateCcw, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { ask, branch as chosen, go, link, time } from "../../app/location";
import { me } from "../../app/me";
import { branchName } from "../../app/switches";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Actions, Float, type Action } from "../../parts/menu";
import { Naming } from "../../parts/naming";
import { tell, tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { comparePath } from "../compare/path";
import { branchWords } from "./words";
import "./branches.css";

type Line = Awaited<ReturnType<typeof listed>>["branches"][number];

function listed(query: string, deleted: boolean) {
  return call("page_branches", { query, deleted }, { at: null });
}

export default function BranchesScreen() {
  const words = branchWords();
  const [isNaming, setNaming] = useState(false);
  const [removing, setRemoving] = useState<Line | null>(null);
  const [query, setQuery] = useState("");
  const answer = useAnswer(() => listed(query, false), [query], undefined, {
    anyBranch: true,
  });
  return (
    <div class="screen">
      <Head title={words.title} note={words.note}>
        {time.value === null && (
          <Button kind="primary" icon={Plus} onClick={() => setNaming(true)}>
            {words.fork}
          </Button>
        )}
      </Head>
      <input
        type="search"
        aria-label={words.find}
        placeholder={words.find}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <Shown answer={answer}>
        {({ branches, countedTo, total }) => (
          <>
            {total > branches.length && (
              <p class="quiet-text">{words.newest(branches.length, total)}</p>
            )}
            <ul class="card-list" aria-label={words.list}>
              {branches.map((line) => (
                <BranchRow
                  key={line.name}
                  line={line}
                  countedTo={countedTo}
                  remove={() => setRemoving(line)}
                />
              ))}
            </ul>
            {branches.length === 1 && !query && <p class="quiet-text alone">{words.alone}</p>}
          </>
        )}
      </Shown>
      <Deleted onRestore={answer.reload} />
      {isNaming && (
        <Naming
          title={words.forkOf(branchName())}
          label={words.name}
          button={words.create}
          make={fork}
          onClose={() => setNaming(false)}
        />
      )}
      {removing && (
        <Removing line={removing} onClose={() => setRemoving(null)} onDone={answer.reload} />
      )}
    </div>
  );
}

async function fork(name: string): Promise<void> {
  await call("strata_branch", { action: "fork", name, source: branchName() });
  go(link("/", { branch: name }));
}

function BranchRow(given: { line: Line; countedTo: number; remove: () => void }) {
  const { line, countedTo } = given;
  const words = branchWords();
  const isHere = line.name === branchName();
  const target = line.cameFrom ?? me.value?.branch ?? "default";
  const others: Action[] = line.isDefault
    ? []
    : [{ label: words.remove, icon: Trash2, isDangerous: true, act: given.remove }];
  return (
    <li class="branch-row">
      <Icon of={GitBranch} />
      <div class="branch-main">
        <p class="branch-name">
          <a href={link("/", { branch: line.isDefault ? null : line.name })}>{line.name}</a>
          {line.isDefault && <span class="tag">{words.usual}</span>}
          {isHere && <span class="tag">{words.current}</span>}
        </p>
        <p class="hit-detail">
          {line.cameFrom && <span>{words.from(line.cameFrom)}</span>}
          {!line.isDefault && (
            <span>
              {line.ahead === 0 && line.behind === 0
                ? words.same
                : `${words.ahead(line.ahead, countedTo)} · ${words.behind(line.behind, countedTo)}`}
            </span>
          )}
          <Who {...line.who} />
          {line.changed && <When at={line.changed} />}
        </p>
      </div>
      {!line.isDefault && (
        <a class="button small" href={comparePath(target, line.name)}>
          <Icon of={GitCompare} />
          {words.compare}
        </a>
      )}
      {time.value === null && others.length > 0 && (
        <Float
          class="button quiet bare small"
          align="end"
          label={words.actions(line.name)}
          face={<Icon of={Ellipsis} />}
        >
          {(close) => <Actions of={others} close={close} />}
        </Float>
      )}
    </li>
  );
}

function Removing(given: { line: Line; onClose: () => void; onDone: () => void }) {
  const words = branchWords();
  const { name, ahead } = given.line;
  const remove = async (): Promise<void> => {
    await call("strata_branch", { action: "delete", name, force: true }, { branch: null });
    if (chosen.peek() === name) ask({ branch: null });
    const undo = async (): Promise<void> => {
      await call("strata_branch", { action: "restore", name }, { branch: null }).catch(tellError);
      given.onDone();
    };
    tell(words.removed(name), { action: { label: words.undo, act: () => void undo() } });
    given.onDone();
  };
  return (
    <Confirm
      title={words.removeTitle(name)}
      button={words.remove}
      icon={Trash2}
      act={remove}
      onClose={given.onClose}
    >
      <p>{ahead > 0 ? words.removeUnmerged(ahead) : words.removeMerged}</p>
    </Confirm>
  );
}

function Deleted({ onRestore }: { onRestore: () => void }) {
  const words = branchWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="deleted-branches"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{words.showDeleted}</summary>
      {isOpen && <DeletedList onRestore={onRestore} />}
    </details>
  );
}

function DeletedList({ onRestore }: { onRestore: () => void }) {
  const words = branchWords();
  const answer = useAnswer(() => listed("", true), []);
  const restore = async (name: string): Promise<void> => {
    try {
      await call("strata_branch", { action: "restore", name }, { branch: null });
      answer.reload();
      onRestore();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Shown answer={answer}>
      {({ branches }) => {
        const gone = branches.filter((line) => line.isDeleted);
        if (gone.length === 0) return <Empty title={words.noDeleted} />;
        return (
          <ul class="card-list" aria-label={words.deleted}>
            {gone.map((line) => (
              <li key={line.name} class="branch-row">
                <Icon of={GitBranch} />
                <div class="branch-main">
                  <p class="branch-name">{line.name}</p>
                </div>
                <Button small icon={RotateCcw} onClick={() => void restore(line.name)}>
                  {words.restore}
                </Button>
              </li>
            ))}
          </ul>
        );
      }}
    </Shown>
  );
}
