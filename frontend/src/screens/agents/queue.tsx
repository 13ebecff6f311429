/** The user's tasks, newest first; the filters are in the address. */
import { Ban, ListTodo, RotateCcw } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { address, ask, time } from "../../app/location";
import { Button } from "../../parts/button";
import { Choice } from "../../parts/field";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { partWords } from "../../parts/words";
import type { Line as AgentLine } from "./screen";
import {
  cancel,
  Elapsed,
  isOpen,
  repeat,
  STATUSES,
  StatusTag,
  taskPath,
  useTaskNews,
  type Status,
  type TaskLine,
} from "./tasks";
import { agentWords } from "./words";

const PAGE = 30;
const ALL_MAX = 1000;

export function TaskQueue({ agents }: { agents: readonly AgentLine[] }) {
  const words = agentWords();
  const query = address.value.searchParams;
  const status = STATUSES.find((one) => one === query.get("status")) ?? "";
  const agent = query.get("agent") ?? "";
  const [limit, setLimit] = useState(PAGE);
  const answer = useAnswer(
    () =>
      call("page_tasks", {
        limit,
        ...(status ? { status } : {}),
        ...(agent ? { agentId: agent } : {}),
      }),
    [status, agent],
    () => false,
  );
  useTaskNews(answer.reload);
  useEffect(() => setLimit(PAGE), [status, agent]);
  useEffect(() => (limit > PAGE ? answer.reload() : undefined), [limit]);
  return (
    <section aria-labelledby="queue">
      <div class="queue-head">
        <h2 id="queue">{words.queue}</h2>
        <Choice<Status | "">
          label={words.status}
          hidesLabel
          value={status}
          of={[
            { value: "", label: words.anyStatus },
            ...STATUSES.map((one) => ({ value: one, label: words[one] })),
          ]}
          onChange={(one) => ask({ status: one })}
        />
        <Choice
          label={words.agent}
          hidesLabel
          value={agent}
          of={[
            { value: "", label: words.anyAgent },
            ...agents.map((one) => ({ value: one.id, label: one.name })),
            ...(agent && !agents.some((one) => one.id === agent)
              ? [{ value: agent, label: agent }]
              : []),
          ]}
          onChange={(one) => ask({ agent: one })}
        />
      </div>
      <Shown answer={answer}>
        {({ tasks, next }) =>
          tasks.length === 0 ? (
            <div class="queue-empty">
              <Empty icon={ListTodo} title={status || agent ? words.noneSuch : words.noTasks}>
                {status || agent ? (
                  <Button onClick={() => ask({ status: null, agent: null })}>
                    {words.showAll}
                  </Button>
                ) : (
                  <p>{words.noTasksHint}</p>
                )}
              </Empty>
            </div>
          ) : (
            <>
              <ul class="card-list" aria-label={words.queue}>
                {tasks.map((task) => (
                  <TaskRow key={task.id} task={task} agents={agents} />
                ))}
              </ul>
              {next !== null && limit < ALL_MAX && (
                <Button class="more" onClick={() => setLimit(limit + PAGE)}>
                  {partWords().loadMore}
                </Button>
              )}
            </>
          )
        }
      </Shown>
    </section>
  );
}

function TaskRow({ task, agents }: { task: TaskLine; agents: readonly AgentLine[] }) {
  const words = agentWords();
  const canRepeat = !isOpen(task) && agents.some((one) => one.id === task.agentId);
  return (
    <li class="task-row">
      <StatusTag task={task} />
      <div class="task-main">
        <p class="task-name">
          <a href={taskPath(task.id)}>{task.agentName}</a>
          <span class="quiet-text">{task.title ?? (task.document ? "" : words.everything)}</span>
        </p>
        {task.instruction && <p class="task-said">{task.instruction}</p>}
        {task.summary && (
          <p class={task.status === "failed" ? "task-said bad" : "task-said"}>{task.summary}</p>
        )}
        <p class="hit-detail">
          <When at={task.created} />
          <Elapsed task={task} />
          {task.toolCalls > 0 && <span>{words.calls(task.toolCalls)}</span>}
        </p>
      </div>
      {time.value === null && isOpen(task) && (
        <Button
          small
          icon={Ban}
          disabled={task.isStopping}
          label={words.cancelOf(task.agentName)}
          onClick={() => void cancel(task)}
        />
      )}
      {time.value === null && canRepeat && (
        <Button
          small
          icon={RotateCcw}
          label={words.repeatOf(task.agentName)}
          onClick={() => void repeat(task)}
        />
      )}
    </li>
  );
}
