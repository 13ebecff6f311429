/** Agents that the user can run, and the queue of what they were asked. */
import { Bot, Ellipsis, Pencil, Play, Plus, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import type { PageAgentsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { may } from "../../app/me";
import { Button } from "../../parts/button";
import { Commands } from "../../parts/commands";
import { Confirm } from "../../parts/confirm";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Actions, Float } from "../../parts/menu";
import { tell } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Defining } from "./defining";
import { TaskQueue } from "./queue";
import { RunAgent } from "./running";
import { StatusTag, taskPath, useTaskNews } from "./tasks";
import { agentWords, describe } from "./words";

export type Line = PageAgentsAnswer["agents"][number];

export default function AgentsScreen() {
  const words = agentWords();
  const answer = useAnswer(
    () => call("page_agents", {}),
    [],
    () => false,
  );
  useTaskNews(answer.reload);
  const [running, run] = useState<Line | null>(null);
  const [defining, define] = useState<Line | "new" | null>(null);
  const [removing, remove] = useState<Line | null>(null);
  const isNow = time.value === null;
  return (
    <div class="screen">
      <Head title={words.title} note={words.note}>
        {isNow && may("page_define_agent") && (
          <Button kind="primary" icon={Plus} onClick={() => define("new")}>
            {words.make}
          </Button>
        )}
      </Head>
      <Shown answer={answer}>
        {(found) => (
          <>
            <ul class="card-list agents" aria-label={words.list}>
              {found.agents.map((agent) => (
                <AgentRow
                  key={agent.id}
                  agent={agent}
                  run={() => run(agent)}
                  edit={() => define(agent)}
                  remove={() => remove(agent)}
                />
              ))}
            </ul>
            {!found.worksHere && (
              <p class="quiet-text">
                <Commands text={words.noWorker} />
              </p>
            )}
            <TaskQueue agents={found.agents} />
            {defining && (
              <Defining
                of={defining === "new" ? null : defining}
                mayChooseEndpoint={found.mayChooseEndpoint}
                mayShare={found.mayShare}
                onClose={() => define(null)}
                onDone={answer.reload}
              />
            )}
          </>
        )}
      </Shown>
      {running && <RunAgent agent={running} onClose={() => run(null)} />}
      {removing && (
        <Removing agent={removing} onClose={() => remove(null)} onDone={answer.reload} />
      )}
    </div>
  );
}

interface RowProps {
  agent: Line;
  run: () => void;
  edit: () => void;
  remove: () => void;
}

function AgentRow({ agent, run, edit, remove }: RowProps) {
  const words = agentWords();
  const isNow = time.value === null;
  const actions = [
    { label: words.edit, icon: Pencil, act: edit },
    { label: words.remove, icon: Trash2, isDangerous: true, act: remove },
  ];
  const model = agent.whose === "strata" ? words.noModel : words.thinks(agent.model);
  return (
    <li class="agent-row">
      <Icon of={Bot} size={20} />
      <div class="agent-main">
        <h2>
          {agent.name}
          {agent.whose !== "strata" && (
            <span class="tag">{agent.isShared ? words.shared : words.own}</span>
          )}
        </h2>
        <p class="agent-about">{describe(agent) || agent.instructions}</p>
        <p class="hit-detail">
          <span>{model}</span>
          <span>{words.leaves(words[editsOf(agent)])}</span>
          {agent.last ? (
            <a class="agent-last" href={taskPath(agent.last.id)}>
              <StatusTag task={agent.last} />
              <When at={agent.last.created} />
            </a>
          ) : (
            <span>{words.never}</span>
          )}
        </p>
      </div>
      {isNow && may("invoke_agent") && (
        <Button small icon={Play} label={words.runOf(agent.name)} onClick={run}>
          {words.run}
        </Button>
      )}
      {isNow && agent.whose === "own" && (
        <Float
          class="button quiet bare small"
          align="end"
          label={words.actions(agent.name)}
          face={<Icon of={Ellipsis} />}
        >
          {(close) => <Actions of={actions} close={close} />}
        </Float>
      )}
    </li>
  );
}

/** How what an agent writes counts. */
export function editsOf(agent: Line): "proposes" | "makes" | "writes" {
  if (!agent.mayEdit) return "proposes";
  return agent.whose === "strata" ? "makes" : "writes";
}

function Removing(given: { agent: Line; onClose: () => void; onDone: () => void }) {
  const words = agentWords();
  const { agent, onClose, onDone } = given;
  const remove = async (): Promise<void> => {
    await call("page_remove_agent", { agentId: agent.id });
    tell(words.removed(agent.name));
    onDone();
  };
  return (
    <Confirm
      title={words.removeTitle(agent.name)}
      button={words.remove}
      icon={Trash2}
      act={remove}
      onClose={onClose}
    >
      <p>{words.removeHint}</p>
    </Confirm>
  );
}
