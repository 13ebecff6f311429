/** A value or a passage that both branches changed: three versions, and what becomes of them. */
import { useState } from "preact/hooks";
import type { Json } from "../../../../docs/reference/page";
import { link } from "../../app/location";
import { Button } from "../../parts/button";
import { Diff } from "../../parts/diff";
import { Field } from "../../parts/field";
import { compareWords } from "./words";

export type Choice = "ours" | "theirs" | "both" | { value: Json };

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
  const [isEditing, setEditing] = useState(false);
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
    <Button
      small
      pressed={choice === what}
      onClick={() => {
        setEditing(false);
        choose(choice === what ? null : what);
      }}
    >
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
      </div>
      <div class="actions">
        {button("ours", words.takeOurs)}
        {button("theirs", words.takeTheirs)}
        {takesBoth && button("both", words.takeBoth)}
        <Button small pressed={isEditing} onClick={() => setEditing(!isEditing)}>
          {words.edit}
        </Button>
        {conflict.isPassage && choice === null && (
          <span class="quiet-text">{words.passageLater}</span>
        )}
      </div>
      {isEditing && <Edited conflict={conflict} choose={choose} />}
    </article>
  );
}

function Edited(given: { conflict: Conflict; choose: (choice: Choice | null) => void }) {
  const { conflict, choose } = given;
  const words = compareWords();
  const [typed, type] = useState(conflict.theirs ?? "");
  const isJson = !conflict.isPassage && conflict.isJson;
  const [error, setError] = useState<string>();
  const change = (text: string): void => {
    type(text);
    try {
      choose({ value: isJson ? (JSON.parse(text) as Json) : text });
      setError(undefined);
    } catch {
      choose(null);
      setError(words.invalidJson);
    }
  };
  return (
    <Field label={words.edited} value={typed} onInput={change} rows={4} autofocus error={error} />
  );
}
