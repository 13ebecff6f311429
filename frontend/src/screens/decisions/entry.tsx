/** One decision: what, why, how sure, how it turned out, and what it is tied to. */
import { Replace, Stamp, Workflow } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { hitPath } from "../../parts/hit-link";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { topicLink, type Entry } from "./dialogs";
import { StatusMark, statusOf } from "./status";
import { decisionWords } from "./words";

type Name = Entry["supersededBy"][number];

export interface EntryProps {
  entry: Entry;
  isChosen: boolean;
  /** Whether the topic is told; on the screen of a topic it is not. */
  hasTopic: boolean;
  /** What one can do with it; none in the past. */
  judge?: (() => void) | undefined;
  supersede?: (() => void) | undefined;
}

export function EntryCard({ entry, isChosen, hasTopic, judge, supersede }: EntryProps) {
  const words = decisionWords();
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const isReplaced = entry.supersededBy.length > 0;
  return (
    <li
      ref={card}
      class={isReplaced ? "decision replaced" : "decision"}
      aria-current={isChosen ? "true" : undefined}
    >
      <p class="decision-head">
        {isReplaced && <StatusMark of="superseded" />}
        {(!isReplaced || entry.outcome) && <StatusMark of={statusOf(entry)} />}
        {hasTopic && entry.topic && <a href={topicLink(entry.topic, entry.id)}>{entry.topic}</a>}
        <span class="decision-when">
          <Who {...entry.who} />
          {entry.made && <When at={entry.made} />}
        </span>
      </p>
      <h2>{entry.decision}</h2>
      {entry.reasoning && <p class="decision-why">{entry.reasoning}</p>}
      <dl class="decision-facts">
        <Told label={words.sureness}>
          <Sureness value={entry.confidence} />
        </Told>
        {entry.outcomeReason && <Told label={words.judged}>{entry.outcomeReason}</Told>}
        {entry.limitation && <Told label={words.limitation}>{entry.limitation}</Told>}
        <Names label={words.replacedBy} of={entry.supersededBy} />
        <Names label={words.replaces} of={entry.supersedes} />
        {entry.links.length > 0 && (
          <Told label={words.links}>
            <ul>
              {entry.links.map((tie) => (
                <li key={`${tie.relationship} ${tie.other.id}`}>
                  <span class="tag">{relationship(tie.relationship)}</span>{" "}
                  <NameLink of={tie.other} />
                  {tie.isSuggestion && <span class="quiet-text"> ({words.suggested})</span>}
                </li>
              ))}
            </ul>
          </Told>
        )}
      </dl>
      {(judge || supersede) && (
        <p class="actions">
          {judge && (
            <Button small icon={Stamp} onClick={judge}>
              {words.record}
            </Button>
          )}
          {supersede && (
            <Button small icon={Replace} onClick={supersede}>
              {words.supersede}
            </Button>
          )}
          <a class="button quiet small" href={topicLink(entry.topic, entry.id, "graph")}>
            <Icon of={Workflow} />
            {words.graph}
          </a>
        </p>
      )}
    </li>
  );
}

/** The word that the author of a link used for it, or ours for the type of the link. */
function relationship(word: string): string {
  const ours: Readonly<Record<string, string>> = decisionWords().linkTypes;
  return Object.hasOwn(ours, word) ? ours[word]! : word.replaceAll("_", " ");
}

function Told({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A bar for the eye, and the same in words. */
function Sureness({ value }: { value: number }) {
  const percent = Math.round(value * 100);
  return (
    <span class="sure">
      <svg viewBox="0 0 100 6" width="80" height="6" aria-hidden="true" preserveAspectRatio="none">
        <rect width="100" height="6" rx="3" class="sure-all" />
        <rect width={percent} height="6" rx="3" class="sure-part" />
      </svg>
      {decisionWords().sure(percent)}
    </span>
  );
}

function Names({ label, of }: { label: string; of: Name[] }) {
  if (of.length === 0) return null;
  return (
    <Told label={label}>
      <ul>
        {of.map((one) => (
          <li key={one.id}>
            <NameLink of={one} />
          </li>
        ))}
      </ul>
    </Told>
  );
}

function NameLink({ of }: { of: Name }) {
  const isOther = of.type !== "decision";
  const path = hitPath({ kind: "decision", id: of.id, place: of.topic });
  return (
    <a href={of.topic ? topicLink(of.topic, of.id) : path}>
      {isOther && `${decisionWords()[of.type as "insight"]}: `}
      {of.text}
    </a>
  );
}
