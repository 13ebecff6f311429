/** A value or a passage that both branches changed: three versions, and what becomes of them. */
import { useState } from "preact/hooks";
import type { Json } from "../../../../docs/reference/page";
import { link } from "../../app/location";
import { Button } from "../../parts/button";
import { Diff } from "../../parts/diff";
import { Field } from "../../parts/field";
import { compareWords } from "./words";

/** An edit that cannot be read yet is unfinished: there is no merge with it. */
export type Choice = "ours" | "theirs" | "both" | { value: Json; isUnfinished?: true };

export type Conflict =
  | {
      isPassage: true;
      id: string;
      title: string;
      document: string;
      section: string;
      base: string | null;
      ours: string;
      theirs: string;
    }
  | {
      isPassage: false;
      id: string;
      title: string;
      namespace: string;
      path: string;
      base: string | null;
      ours: string | null;
      theirs: string | null;
      isJson: boolean;
      takesBoth: boolean;
    };

export function ConflictCard(given: {
  conflict: Conflict;
  names: { source: string; target: string };
  choice: Choice | null;
  choose: (choice: Choice | null) => void;
}) {
  const { conflict, names, choice, choose } = given;
  const words = compareWords();
  const isEditing = choice !== null && typeof choice === "object";
  const takesBoth = conflict.isPassage || conflict.takesBoth;
  const place = conflict.isPassage
    ? conflict.section
    : [conflict.namespace, conflict.path === "$" ? "" : conflict.path].filter(Boolean).join(" · ");
  const sides = [
    { name: words.base, text: conflict.base },
    { name: words.ours(names.target), text: conflict.ours },
    { name: words.theirs(names.source), text: conflict.theirs },
  ];
  const button = (what: "ours" | "theirs" | "both", label: string) => (
    <Button small pressed={choice === what} onClick={() => choose(choice === what ? null : what)}>
      {label}
    </Button>
  );
  return (
    <article class="conflict" tabIndex={-1} aria-label={conflict.title}>
      <header>
        <h3>
          {conflict.isPassage ? (
            <a href={link(`/d/${encodeURIComponent(conflict.document)}`)}>{conflict.title}</a>
          ) : (
            conflict.title
          )}
        </h3>
        <p class="quiet-text">{place}</p>
      </header>
      <div class="sides">
        {sides.map((side, index) => (
          <section key={side.name} aria-label={side.name}>
            <h4>{side.name}</h4>
            <p class="side-text">
              {index > 0 && side.text !== null ? (
                <Diff before={conflict.base ?? ""} after={side.text} />
              ) : (
                (side.text ?? words.nothing)
              )}
            </p>
          </section>
        ))}
        <section class="side-result" aria-label={words.result}>
          <h4>{words.result}</h4>
          <p class="side-text">{resultOf(conflict, choice) ?? words.undecided}</p>
        </section>
      </div>
      <div class="actions">
        {button("ours", words.takeOurs)}
        {button("theirs", words.takeTheirs)}
        {takesBoth && button("both", words.takeBoth)}
        <Button
          small
          pressed={isEditing}
          onClick={() => choose(isEditing ? null : { value: valueOf(conflict, choice) })}
        >
          {words.edit}
        </Button>
        {conflict.isPassage && choice === null && (
          <span class="quiet-text">{words.passageLater}</span>
        )}
      </div>
      {isEditing && <Edited conflict={conflict} value={choice.value} choose={choose} />}
    </article>
  );
}

/** The text that the merge will make here; null where that is not decided. */
export function resultOf(conflict: Conflict, choice: Choice | null): string | null {
  // An undecided passage keeps our words, and theirs become a suggestion.
  if (choice === null) return conflict.isPassage ? conflict.ours : null;
  return chosenText(conflict, choice) ?? compareWords().nothing;
}

/** What a choice makes; null where it removes the value. */
function chosenText(conflict: Conflict, choice: Choice): string | null {
  if (typeof choice === "object") return textOf(conflict, choice.value);
  if (choice !== "both") return conflict[choice];
  const [ours, theirs] = [conflict.ours ?? "", conflict.theirs ?? ""];
  if (!conflict.isPassage) return textOf(conflict, joined(JSON.parse(ours), JSON.parse(theirs)));
  const isApart = !ours || !theirs || /\s$/u.test(ours) || /^\s/u.test(theirs);
  return isApart ? ours + theirs : `${ours} ${theirs}`;
}

/** Both lists, without what is in the first one already. */
function joined(ours: Json[], theirs: Json[]): Json[] {
  const known = new Set(ours.map((one) => JSON.stringify(one)));
  return [...ours, ...theirs.filter((one) => !known.has(JSON.stringify(one)))];
}

function isJson(conflict: Conflict): boolean {
  return !conflict.isPassage && conflict.isJson;
}

function textOf(conflict: Conflict, value: Json): string {
  return isJson(conflict) && typeof value !== "string"
    ? JSON.stringify(value, null, 2)
    : String(value);
}

/** What an edit begins with: what was chosen before, or their side. */
function valueOf(conflict: Conflict, choice: Choice | null): Json {
  const text = chosenText(conflict, choice ?? "theirs") ?? conflict.ours ?? "";
  return isJson(conflict) ? (JSON.parse(text || "null") as Json) : text;
}

function Edited(given: {
  conflict: Conflict;
  value: Json;
  choose: (choice: Choice | null) => void;
}) {
  const { conflict, value, choose } = given;
  const words = compareWords();
  const [typed, type] = useState(() => textOf(conflict, value));
  const [error, setError] = useState<string>();
  const change = (text: string): void => {
    type(text);
    try {
      choose({ value: isJson(conflict) ? (JSON.parse(text) as Json) : text });
      setError(undefined);
    } catch {
      choose({ value: text, isUnfinished: true });
      setError(words.invalidJson);
    }
  };
  return (
    <Field label={words.edited} value={typed} onInput={change} rows={4} autofocus error={error} />
  );
}
