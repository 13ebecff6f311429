/** Decisions, newest first: of a topic, or of all. */
import { Signpost } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageDecisionsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { useKeys } from "../../app/keys";
import { time } from "../../app/location";
import { Button } from "../../parts/button";
import { tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { partWords } from "../../parts/words";
import { topicLink, type Entry } from "./dialogs";
import { EntryCard } from "./entry";
import { isAboutDecisions } from "./topics";
import { decisionWords } from "./words";

export interface TimelineProps {
  topic: string | null;
  /** The decision that the address names. */
  id: string | null;
  /** Grows when the user has written something. */
  turn: number;
  judge?: (entry: Entry) => void;
  supersede?: (entry: Entry) => void;
}

const PAGE = 20;

export function Timeline({ topic, id, turn, judge, supersede }: TimelineProps) {
  const words = decisionWords();
  // An id alone tells its topic; beside a topic it only says which one is meant.
  const named = topic === null && id ? { id } : topic ? { topic } : {};
  const ask = (cursor?: string) =>
    call("page_decisions", { ...named, limit: PAGE, ...(cursor ? { cursor } : {}) });
  const answer = useAnswer(() => ask(), [named], isAboutDecisions);
  const [others, setOthers] = useState<{ decisions: Entry[]; next: string | null } | null>(null);
  const [chosen, choose] = useState<string | null>(id);
  useEffect(() => setOthers(null), [answer.value]);
  useEffect(() => choose(id), [id]);
  useEffect(() => {
    if (turn > 0) answer.reload();
  }, [turn]);
  const all = [...(answer.value?.decisions ?? []), ...(others?.decisions ?? [])];
  const place = all.findIndex((entry) => entry.id === chosen);
  const entry = all[place];
  const move = (step: number): void =>
    choose(all[Math.max(0, Math.min(place + step, all.length - 1))]?.id ?? null);
  const canJudge = entry && judge && entry.supersededBy.length === 0;
  const canReplace = entry && supersede && entry.supersededBy.length === 0;
  useKeys([
    { keys: "j", label: words.next, act: () => move(1) },
    { keys: "k", label: words.previous, act: () => move(-1) },
    { keys: "o", label: words.keyOutcome, act: () => canJudge && judge(entry) },
    { keys: "s", label: words.keySupersede, act: () => canReplace && supersede(entry) },
  ]);
  const more = (cursor: string): void =>
    void ask(cursor).then(
      (found) =>
        setOthers((before) => ({
          decisions: [...(before?.decisions ?? []), ...found.decisions],
          next: found.next,
        })),
      tellError,
    );
  return (
    <div class="timeline">
      <Shown answer={answer}>
        {(found) => {
          if (all.length === 0) return <None found={found} />;
          const next = others ? others.next : found.next;
          const holding = all.filter((one) => one.supersededBy.length === 0);
          return (
            <>
              {found.note && <Note of={found.note} />}
              {found.topic !== null && holding.length > 1 && (
                <p class="dispute" role="note">
                  {words.conflict}
                </p>
              )}
              <ol class="decision-list" aria-label={words.list}>
                {all.map((one) => {
                  const isHolding = one.supersededBy.length === 0;
                  return (
                    <EntryCard
                      key={one.id}
                      entry={one}
                      isChosen={one.id === chosen}
                      hasTopic={found.topic === null}
                      judge={judge && isHolding ? () => judge(one) : undefined}
                      supersede={supersede && isHolding ? () => supersede(one) : undefined}
                    />
                  );
                })}
              </ol>
              {next && <Button onClick={() => more(next)}>{partWords().loadMore}</Button>}
            </>
          );
        }}
      </Shown>
    </div>
  );
}

/** What a link led to, where that is no decision. */
function Note({ of }: { of: NonNullable<PageDecisionsAnswer["note"]> }) {
  const words = decisionWords();
  return (
    <blockquote class="decision-note">
      <p class="quiet-text">{words.note(words[of.type as "insight"])}</p>
      <p>{of.text}</p>
    </blockquote>
  );
}

function None({ found }: { found: PageDecisionsAnswer }) {
  const words = decisionWords();
  if (found.note) return <Note of={found.note} />;
  if (found.topic !== null)
    return (
      <Empty icon={Signpost} title={words.noTopic(found.topic)}>
        {found.nearTopics.length > 0 && <p>{words.near}</p>}
        <ul class="near">
          {found.nearTopics.map((topic) => (
            <li key={topic}>
              <a href={topicLink(topic)}>{topic}</a>
            </li>
          ))}
        </ul>
      </Empty>
    );
  if (time.value !== null) return <Empty icon={Signpost} title={words.emptyPast} />;
  return (
    <Empty icon={Signpost} title={words.empty}>
      <p>{words.emptyHint}</p>
    </Empty>
  );
}
