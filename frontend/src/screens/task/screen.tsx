/** One task, live: what was asked, how far it is, what it called, what came of it. */
import type { ComponentChildren } from "preact";
import { Ban, CircleX, FileText, Info, RotateCcw, Undo2, Wrench } from "lucide";
import type { PageTaskAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { link, time } from "../../app/location";
import { may } from "../../app/me";
import type { ScreenProps } from "../../app/routes";
import { Button } from "../../parts/button";
import { Commands } from "../../parts/commands";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Value } from "../../parts/value";
import { cancel, Elapsed, isOpen, repeat, StatusTag, useTaskNews } from "../agents/tasks";
import { agentWords } from "../agents/words";
import "./task.css";

type Step = PageTaskAnswer["steps"][number];

export default function TaskScreen({ params }: ScreenProps) {
  const id = params["id"] ?? "";
  const answer = useAnswer(
    () => call("page_task", { taskId: id }),
    [id],
    () => false,
  );
  useTaskNews(answer.reload);
  return (
    <div class="screen task">
      <Shown answer={answer}>{(found) => <TaskPage found={found} />}</Shown>
    </div>
  );
}

function TaskPage({ found }: { found: PageTaskAnswer }) {
  const words = agentWords();
  const { task } = found;
  const isNow = time.value === null;
  const isSilent = found.leasedUntil !== null && found.leasedUntil < found.now;
  return (
    <>
      <Head title={words.taskOf(task.agentName)}>
        {isNow && isOpen(task) && (
          <Button icon={Ban} disabled={task.isStopping} onClick={() => void cancel(task)}>
            {words.cancel}
          </Button>
        )}
        {isNow && !isOpen(task) && found.canRepeat && (
          <Button icon={RotateCcw} onClick={() => void repeat(task)}>
            {words.repeat}
          </Button>
        )}
        <a class="button quiet" href={link("/agents")}>
          {words.allTasks}
        </a>
      </Head>
      <p class="sr-only" role="status">
        {words.spoken(task.isStopping ? words.stopping : words[task.status])}
      </p>
      <dl class="task-facts">
        <Fact name={words.status}>
          <StatusTag task={task} />
        </Fact>
        <Fact name={words.document}>
          {task.document && task.title !== null ? (
            <a href={link(`/d/${encodeURIComponent(task.document)}`, branchOf(task.branch))}>
              <Icon of={FileText} />
              {task.title}
            </a>
          ) : (
            (task.document ?? words.everything)
          )}
        </Fact>
        <Fact name={words.asked}>
          <When at={task.created} />
        </Fact>
        {task.started && (
          <Fact name={words.started}>
            <When at={task.started} />
          </Fact>
        )}
        {task.started && (
          <Fact name={words.elapsed}>
            <Elapsed task={task} />
          </Fact>
        )}
        <Fact name={words.branch}>{task.branch}</Fact>
        {found.attempts > 1 && (
          <Fact name={words.attempt}>{words.attempts(found.attempts, found.attemptsMax)}</Fact>
        )}
      </dl>
      {found.instruction && (
        <section aria-label={words.instruction}>
          <h2 class="task-part">{words.instruction}</h2>
          <p class="task-text">{found.instruction}</p>
        </section>
      )}
      {isSilent && (
        <p class="task-warning" role="status">
          {words.gone}
        </p>
      )}
      {found.error !== null && (
        <section aria-label={words.error}>
          <h2 class="task-part">{words.error}</h2>
          <p class="task-error" role="alert">
            <Commands text={found.error} />
          </p>
          {!found.canRepeat && <p class="quiet-text">{words.agentGone}</p>}
        </section>
      )}
      {task.status === "completed" && (
        <section aria-label={words.output}>
          <h2 class="task-part">{words.output}</h2>
          {found.output ? (
            <Value value={found.output} name={words.output} />
          ) : (
            <p class="quiet-text">{words.noOutput}</p>
          )}
        </section>
      )}
      {may("page_activity") && task.started !== null && <Changes key={task.status} found={found} />}
      <Steps found={found} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The branch of a task as an address names it. */
function branchOf(branch: string): { branch: string | null } {
  return { branch: branch === "default" ? null : branch };
}

/** What the task has committed; the screen of activity takes it back. */
function Changes({ found }: { found: PageTaskAnswer }) {
  const words = agentWords();
  const { id, branch } = found.task;
  const answer = useAnswer(
    () => call("page_activity", { task: id, limit: 10 }, { branch }),
    [id],
    (change) => change.who?.task === id,
  );
  return (
    <section aria-label={words.changes}>
      <h2 class="task-part">{words.changes}</h2>
      <Shown answer={answer}>
        {({ runs }) => {
          const items = runs.flatMap((run) => run.items);
          if (items.length === 0) return <p class="quiet-text">{words.noChanges}</p>;
          return (
            <>
              <ul class="task-changes">
                {items.slice(0, 20).map((item) => (
                  <li key={`${item.kind} ${item.id} ${item.title}`}>
                    {item.group === "document" ? (
                      <a href={link(`/d/${encodeURIComponent(item.id)}`, branchOf(branch))}>
                        <Icon of={FileText} />
                        {item.title}
                      </a>
                    ) : (
                      item.title
                    )}
                  </li>
                ))}
              </ul>
              <a class="button small" href={link("/activity", { task: id, ...branchOf(branch) })}>
                <Icon of={Undo2} />
                {words.undoInActivity}
              </a>
            </>
          );
        }}
      </Shown>
    </section>
  );
}

function Steps({ found }: { found: PageTaskAnswer }) {
  const words = agentWords();
  const { task, steps } = found;
  const calls = steps.filter((step) => step.tool !== null).length;
  const none = isOpen(task)
    ? task.started === null
      ? words.noStepsPending
      : words.noSteps
    : words.noStepsEnded;
  return (
    <section aria-label={words.progress}>
      <h2 class="task-part">
        {words.progress}
        {task.toolCalls > 0 && <span class="count">{words.calls(task.toolCalls)}</span>}
      </h2>
      {task.toolCalls > calls && steps.length >= found.stepsMax && (
        <p class="quiet-text">{words.newest(calls, task.toolCalls)}</p>
      )}
      {steps.length === 0 ? (
        <p class="quiet-text">{none}</p>
      ) : (
        <ol class="card-list steps">
          {steps
            .slice()
            .reverse()
            .map((step) => (
              <StepRow key={step.number} step={step} />
            ))}
        </ol>
      )}
    </section>
  );
}

function StepRow({ step }: { step: Step }) {
  const words = agentWords();
  if (step.tool === null)
    return (
      <li class="step note">
        <Icon of={Info} />
        <span>{step.answer}</span>
        <When at={step.when} />
      </li>
    );
  return (
    <li class={step.isError ? "step bad" : "step"}>
      <details>
        <summary>
          <Icon of={step.isError ? CircleX : Wrench} />
          <code>{step.tool}</code>
          <span class="step-brief">
            {step.isError ? <Commands text={messageOf(step.answer)} /> : briefly(step)}
          </span>
          {step.isError && <span class="tag">{words.refused}</span>}
          <span class="quiet-text">{words.milliseconds(step.tookMs)}</span>
        </summary>
        <h3>{words.arguments}</h3>
        <pre>{pretty(step.arguments)}</pre>
        <h3>{words.answer}</h3>
        <pre>{pretty(step.answer)}</pre>
      </details>
    </li>
  );
}

/** What says nothing about what a call is for. */
const NOISE = new Set(["maxTokens", "limit", "nextToken"]);

/** The arguments of a call in one line; a document that the answer names has its title there. */
function briefly(step: Step): string {
  const given = read(step.arguments);
  if (given === null || typeof given !== "object") return "";
  const { title } = (read(step.answer) ?? {}) as { title?: unknown };
  const isTitled = typeof title === "string" && title !== "";
  return Object.entries(given)
    .filter(([name]) => !NOISE.has(name))
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) =>
      name === "documentId" && isTitled ? title : `${name}: ${String(value)}`,
    )
    .join(" · ");
}

function messageOf(answer: string): string {
  const said = read(answer) as { message?: unknown } | null;
  return typeof said?.message === "string" ? said.message : "";
}

function pretty(json: string): string {
  const value = read(json);
  return value === null ? json : JSON.stringify(value, null, 2);
}

/** What a text says as JSON; null where a secret was cut out of it. */
function read(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
