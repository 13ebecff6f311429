/** What one writes about decisions: a new one, one that replaces another, and an outcome. */
import { useState } from "preact/hooks";
import type { PageDecisionsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { go, link } from "../../app/location";
import { Choice, Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { tell } from "../../parts/notices";
import { decisionWords } from "./words";

export type Entry = PageDecisionsAnswer["decisions"][number];

/** The address of a topic, and of a decision on it. */
export function topicLink(topic: string | null, id?: string, view?: string | null): string {
  const path = (topic ?? "").split("/").map(encodeURIComponent).join("/");
  // A path cannot hold parts that are empty or dots.
  const isPlain = (topic ?? "").split("/").every((part) => !["", ".", ".."].includes(part));
  if (topic && !isPlain) return link("/decisions", { topic, id, view });
  return link(topic ? `/decisions/${path}` : "/decisions", { id, view });
}

export interface DecidingProps {
  topic: string;
  /** What the new decision replaces. */
  old?: Entry;
  onClose: () => void;
  onDone: () => void;
}

export function Deciding({ topic, old, onClose, onDone }: DecidingProps) {
  const words = decisionWords();
  const [name, setName] = useState(topic);
  const [decision, setDecision] = useState("");
  const [reasoning, setReasoning] = useState("");
  const [percent, setPercent] = useState(70);
  const save = async (): Promise<void> => {
    const given = { decision, reasoning, confidence: percent / 100 };
    const made = old
      ? await call("evolve_supersede", { id: old.id, ...given })
      : await call("save_decision", { topic: name.trim(), ...given });
    tell(old ? words.superseding : words.saved);
    onDone();
    go(topicLink(old ? old.topic : name.trim(), String(made.id)));
  };
  return (
    <FormDialog
      title={old ? words.supersedeTitle : words.make}
      button={words.save}
      act={save}
      onClose={onClose}
    >
      {old ? (
        <p class="quiet-text">{words.supersedeHint(old.decision)}</p>
      ) : (
        <Field
          label={words.topic}
          value={name}
          onInput={setName}
          hint={words.topicHint}
          required
          autofocus={!topic}
          maxLength={200}
        />
      )}
      <Field
        label={words.what}
        value={decision}
        onInput={setDecision}
        rows={2}
        required
        autofocus={Boolean(topic)}
      />
      <Field
        label={old ? words.whyChanged : words.whyNew}
        value={reasoning}
        onInput={setReasoning}
        rows={4}
        required
      />
      <label class="sureness">
        <span>{words.confidence}</span>
        <input
          type="range"
          min={0}
          max={100}
          step={5}
          value={percent}
          onInput={(event) => setPercent(Number(event.currentTarget.value))}
        />
        <output>{words.sure(percent)}</output>
      </label>
    </FormDialog>
  );
}

type Outcome = "SUCCESS" | "PARTIAL" | "FAILED";

export function Judging({
  of,
  onClose,
  onDone,
}: {
  of: Entry;
  onClose: () => void;
  onDone: () => void;
}) {
  const words = decisionWords();
  const [outcome, setOutcome] = useState<Outcome>((of.outcome as Outcome | null) ?? "SUCCESS");
  const [reason, setReason] = useState(of.outcomeReason ?? "");
  const [limitation, setLimitation] = useState(of.limitation ?? "");
  const [isAsked, ask] = useState(false);
  const isMissing = outcome === "FAILED" && !reason.trim();
  const save = async (): Promise<false | void> => {
    ask(true);
    if (isMissing) return false;
    await call("evolve_outcome", {
      id: of.id,
      outcome,
      ...(reason.trim() ? { reason } : {}),
      ...(limitation.trim() ? { limitation } : {}),
    });
    tell(words.recorded);
    onDone();
  };
  return (
    <FormDialog title={words.recordTitle} button={words.save} act={save} onClose={onClose}>
      <p>{of.decision}</p>
      <Choice
        label={words.judged}
        value={outcome}
        of={(["SUCCESS", "PARTIAL", "FAILED"] as const).map((value) => ({
          value,
          label: words[value],
        }))}
        onChange={setOutcome}
      />
      <Field
        label={words.reason}
        value={reason}
        onInput={setReason}
        rows={3}
        error={isAsked && isMissing ? words.reasonNeeded : undefined}
      />
      <Field
        label={words.limitation}
        value={limitation}
        onInput={setLimitation}
        hint={words.limitationHint}
      />
    </FormDialog>
  );
}
