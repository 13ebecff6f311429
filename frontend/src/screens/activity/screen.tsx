/** What users and agents did, run by run; a run is taken back after a preview. */
import { Activity as ActivityIcon, Undo2 } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { address, ask, link, time } from "../../app/location";
import { Button } from "../../parts/button";
import { Head } from "../../parts/head";
import { hitIcon, hitPath } from "../../parts/hit-link";
import { Icon } from "../../parts/icon";
import { tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { Undoing } from "./undoing";
import { activityWords } from "./words";
import "./activity.css";

type Page = Awaited<ReturnType<typeof call<"page_activity">>>;
export type Run = Page["runs"][number];
type Item = Run["items"][number];

const LIMIT = 30;
const ITEMS_SHOWN = 6;

function fetchRuns(agent: string, task: string, before: number | null): Promise<Page> {
  const filter = { ...(agent ? { agent } : {}), ...(task ? { task } : {}) };
  return call("page_activity", { limit: LIMIT, ...filter, ...(before ? { before } : {}) });
}

export default function ActivityScreen() {
  const words = activityWords();
  const agent = address.value.searchParams.get("agent") ?? "";
  const task = address.value.searchParams.get("task") ?? "";
  const answer = useAnswer(() => fetchRuns(agent, task, null), [agent, task]);
  const [more, setMore] = useState<Page | null>(null);
  const [undoing, setUndoing] = useState<Run | null>(null);
  useEffect(() => setMore(null), [answer.value]);
  const fetchMore = async (before: number): Promise<void> => {
    try {
      const found = await fetchRuns(agent, task, before);
      setMore({ runs: [...(more?.runs ?? []), ...found.runs], next: found.next });
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <div class="screen">
      <Head title={words.title} note={words.note}>
        {task && (
          <a class="button" href={link(`/tasks/${encodeURIComponent(task)}`)}>
            {words.task}
          </a>
        )}
        {(agent || task) && (
          <Button onClick={() => ask({ agent: null, task: null })}>{words.allAgents}</Button>
        )}
      </Head>
      <Shown answer={answer}>
        {(found) => {
          const runs = [...found.runs, ...(more?.runs ?? [])];
          const next = more ? more.next : found.next;
          if (runs.length === 0) {
            return (
              <Empty icon={ActivityIcon} title={words.empty}>
                <p>{words.emptyHint}</p>
              </Empty>
            );
          }
          return (
            <>
              <ul class="card-list" aria-label={words.list}>
                {runs.map((run) => (
                  <RunRow key={run.commits[0]} run={run} undo={() => setUndoing(run)} />
                ))}
              </ul>
              {next !== null && (
                <Button onClick={() => void fetchMore(next)}>{words.earlier}</Button>
              )}
            </>
          );
        }}
      </Shown>
      {undoing && <Undoing run={undoing} onClose={() => setUndoing(null)} onDone={answer.reload} />}
    </div>
  );
}

function RunRow({ run, undo }: { run: Run; undo: () => void }) {
  const words = activityWords();
  const shown = run.items.slice(0, ITEMS_SHOWN);
  const agent = run.who.agent ?? run.who.label;
  return (
    <li class="run">
      <div class="run-head">
        <p>
          {agent ? (
            <a href={link("/activity", { agent })} title={words.filter}>
              <Who {...run.who} />
            </a>
          ) : (
            <Who {...run.who} />
          )}
          <span>{run.isTyping ? words.typed : words.changed(run.total)}</span>
          {run.who.task && (
            <a href={link(`/tasks/${encodeURIComponent(run.who.task)}`)}>{words.task}</a>
          )}
          {run.ended && <When at={run.ended} />}
        </p>
        {time.value === null && (
          <Button small icon={Undo2} onClick={undo}>
            {words.undo}
          </Button>
        )}
      </div>
      {run.message && <p class="quiet-text">{run.message}</p>}
      <ul class="run-items">
        {shown.map((item) => (
          <li key={`${item.kind} ${item.id}`}>
            <ItemLine item={item} />
          </li>
        ))}
        {run.total > shown.length && (
          <li class="quiet-text">{words.more(run.total - shown.length)}</li>
        )}
      </ul>
      {run.isCut && <p class="quiet-text">{words.cut}</p>}
    </li>
  );
}

function ItemLine({ item }: { item: Item }) {
  const words = activityWords();
  const inside = (
    <>
      <Icon of={hitIcon(item.group)} />
      <span>
        {item.kind === "comment" || item.kind === "suggestion"
          ? words[item.kind](item.title)
          : item.title}
      </span>
    </>
  );
  return (
    <>
      {item.group === "other" ? (
        <span class="run-item">{inside}</span>
      ) : (
        <a href={hitPath({ ...item, kind: item.group })}>{inside}</a>
      )}
      {item.wordsAdded !== null && item.wordsRemoved !== null && (
        <span class="quiet-text">{words.words(item.wordsAdded, item.wordsRemoved)}</span>
      )}
    </>
  );
}
