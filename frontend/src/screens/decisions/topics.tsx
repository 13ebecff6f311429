/** The topics, the newest decision first: what holds of each, and how it stands. */
import { useEffect, useState } from "preact/hooks";
import type { PageTopicsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import type { Change } from "../../app/feed";
import { Button } from "../../parts/button";
import { Choice, Field } from "../../parts/field";
import { tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { partWords } from "../../parts/words";
import { topicLink } from "./dialogs";
import { StatusMark, statusOf } from "./status";
import { decisionWords } from "./words";

type TopicLine = PageTopicsAnswer["topics"][number];
type Fitting = "" | "open" | "overdue" | "disputed";

const TYPING_MS = 200;
const TOPICS = 50;

export const isAboutDecisions = (change: Change): boolean => change.kinds.includes("decision");

export function Topics({ topic, view }: { topic: string | null; view: string | null }) {
  const words = decisionWords();
  const [typed, type] = useState("");
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState<Fitting>("");
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <section class="topics" aria-label={words.topics}>
      <Field label={words.filter} type="search" value={typed} onInput={type} />
      <Choice
        label={words.status}
        value={status}
        of={[
          { value: "", label: words.any },
          { value: "open", label: words.open },
          { value: "overdue", label: words.overdue },
          { value: "disputed", label: words.disputed },
        ]}
        onChange={setStatus}
      />
      <a
        class="topic all"
        href={topicLink(null, undefined, view)}
        aria-current={topic === null ? "true" : undefined}
      >
        {words.allTopics}
      </a>
      <TopicList query={query} status={status} topic={topic} view={view} />
    </section>
  );
}

interface TopicListProps {
  query: string;
  status: Fitting;
  topic: string | null;
  view: string | null;
}

function TopicList({ query, status, topic, view }: TopicListProps) {
  const words = decisionWords();
  const ask = (cursor?: string) =>
    call("page_topics", {
      query,
      limit: TOPICS,
      ...(status ? { status } : {}),
      ...(cursor ? { cursor } : {}),
    });
  const answer = useAnswer(() => ask(), [query, status], isAboutDecisions);
  const [others, setOthers] = useState<{ topics: TopicLine[]; next: string | null } | null>(null);
  useEffect(() => setOthers(null), [answer.value]);
  const more = (cursor: string): void =>
    void ask(cursor).then(
      (found) =>
        setOthers((before) => ({
          topics: [...(before?.topics ?? []), ...found.topics],
          next: found.next,
        })),
      tellError,
    );
  return (
    <Shown answer={answer}>
      {(found) => {
        const next = others ? others.next : found.next;
        if (found.topics.length === 0) {
          const isFiltered = query !== "" || status !== "";
          return isFiltered ? <p class="quiet-text">{words.noTopics}</p> : null;
        }
        return (
          <>
            <ul>
              {[...found.topics, ...(others?.topics ?? [])].map((one) => (
                <li key={one.topic}>
                  <TopicRow line={one} isHere={one.topic === topic} view={view} />
                </li>
              ))}
            </ul>
            {next && <Button onClick={() => more(next)}>{partWords().loadMore}</Button>}
          </>
        );
      }}
    </Shown>
  );
}

function TopicRow({
  line,
  isHere,
  view,
}: {
  line: TopicLine;
  isHere: boolean;
  view: string | null;
}) {
  const words = decisionWords();
  const [head] = line.current;
  return (
    <a
      class="topic"
      href={topicLink(line.topic, undefined, view)}
      aria-current={isHere ? "true" : undefined}
    >
      <span class="topic-name">{line.topic}</span>
      {line.changed && <When at={line.changed} />}
      <span class="topic-about">
        {line.current.length > 1 ? (
          <span class="status bad">{words.disputed}</span>
        ) : (
          <StatusMark of={head ? statusOf(head) : "superseded"} />
        )}
        <span>{line.isMore ? words.countMore(line.decisions) : words.count(line.decisions)}</span>
      </span>
    </a>
  );
}
