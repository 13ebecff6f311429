/** A suggestion: which words, what instead, why, how sure, and what one can do. */
import { useState } from "preact/hooks";
import type { Suggestion } from "../api/types";
import { Button } from "../parts/button";
import { Commands } from "../parts/commands";
import { Diff } from "../parts/diff";
import { Byline, Card } from "./card";
import type { Decision, Desk } from "./desk";
import { reviewWords } from "./words";

export interface SuggestionCardProps {
  suggestion: Suggestion;
  desk: Desk;
  isChosen: boolean;
  onChoose: () => void;
  /** Opens the suggestion as a draft over the words as they are now. */
  onEdit: () => void;
}

export function SuggestionCard(given: SuggestionCardProps) {
  const { suggestion, isChosen, onChoose } = given;
  const words = reviewWords();
  return (
    <Card
      id={suggestion.suggestionId}
      label={words.suggestionBy(suggestion.author)}
      isChosen={isChosen}
      onChoose={onChoose}
    >
      <Byline said={suggestion} />
      <Tags of={suggestion} />
      <p class="change">
        <Diff before={suggestion.originalText} after={suggestion.replacementText} />
      </p>
      <State of={suggestion} />
      {suggestion.rationale && <p class="body">{suggestion.rationale}</p>}
      {isChosen && <Decisions {...given} />}
    </Card>
  );
}

/** Why a suggestion cannot be made as it is. */
function State({ of }: { of: Suggestion }) {
  const words = reviewWords();
  if (of.state === "done") return <p class="gone">{words.saidAlready}</p>;
  if (of.state === "gone") return <p class="gone">{words.wordsGone}</p>;
  if (of.state === "changed") return <p class="gone">{words.wordsChanged(of.currentText ?? "")}</p>;
  return null;
}

function Tags({ of }: { of: Suggestion }) {
  const words = reviewWords();
  const { confidence, reason } = of;
  // A suggestion that says nothing of its weight has this one.
  const severity = of.severity === "info" ? undefined : of.severity;
  const sure = confidence === undefined ? "" : words.sure(Math.round(confidence * 100));
  const origin = reason === "stale" || reason === "merge" ? words[reason] : "";
  if (!severity && !sure && !origin) return null;
  return (
    <p class="tags">
      {severity && <span class={`tag tag-${severity}`}>{words[severity]}</span>}
      {sure && <span class="tag">{sure}</span>}
      {origin && <span class="tag">{origin}</span>}
    </p>
  );
}

function Decisions({ suggestion, desk, onEdit }: SuggestionCardProps) {
  const words = reviewWords();
  const [refusal, setRefusal] = useState<string | null>(null);
  const decide = async (decision: Decision): Promise<void> =>
    setRefusal(await desk.decide(suggestion, decision));
  const { state } = suggestion;
  const isLate = state === "changed" || state === "gone";
  const button = (
    label: string,
    act: () => void,
    kind: "plain" | "primary" | "quiet" = "plain",
  ) => (
    <Button small kind={kind} onClick={act}>
      {label}
    </Button>
  );
  return (
    <>
      {refusal && state === "applies" && (
        <p class="refusal" role="status">
          <Commands text={refusal} />
        </p>
      )}
      <div class="actions">
        {desk.mayEdit() &&
          state === "applies" &&
          button(words.accept, () => void decide("accept"), "primary")}
        {desk.mayEdit() &&
          state === "changed" &&
          button(words.applyAnyway, () => void desk.applyAnyway(suggestion).then(setRefusal))}
        {desk.mayComment() && state === "changed" && button(words.edit, onEdit)}
        {desk.mayEdit() &&
          button(state === "done" ? words.dismiss : words.reject, () => void decide("reject"))}
        {desk.isMine(suggestion) && button(words.withdraw, () => void decide("withdraw"), "quiet")}
        {refusal && isLate && (
          <span class="sr-only" role="status">
            {refusal}
          </span>
        )}
      </div>
    </>
  );
}
