/** What a value is written in: text, or JSON that is checked before it is sent. */
import { useState } from "preact/hooks";
import type { Json } from "../../../../docs/reference/page";
import { Choice, Field } from "../../parts/field";
import { Tags } from "../../parts/tags";
import { textOf } from "../../parts/value";
import { readJson } from "./values";
import { memoryWords } from "./words";

export interface Draft {
  text: string;
  form: "text" | "json";
  tags: string[];
}

export function draftOf(value: Json, tags: readonly string[]): Draft {
  return {
    text: textOf(value),
    form: typeof value === "string" ? "text" : "json",
    tags: [...tags],
  };
}

/** What a draft says; an error in words where it is not JSON. */
export function valueOf(draft: Draft): { value: Json } | { error: string } {
  if (draft.form === "text") return { value: draft.text };
  const read = readJson(draft.text);
  if ("value" in read) return read;
  const words = memoryWords();
  const { line, column, isNumber } = read.fault;
  return { error: isNumber ? words.bigNumber(line, column) : words.badJson(line, column) };
}

export interface DraftFieldsProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Says what is wrong at once, not only when the user sends it. */
  isStrict: boolean;
  autofocus?: boolean;
}

export function DraftFields({ draft, onChange, isStrict, autofocus }: DraftFieldsProps) {
  const words = memoryWords();
  const [wasLeft, leave] = useState(false);
  const read = valueOf(draft);
  const isShown = (isStrict || wasLeft) && "error" in read;
  return (
    <>
      <Choice
        label={words.form}
        value={draft.form}
        of={[
          { value: "text", label: words.text },
          { value: "json", label: words.json },
        ]}
        onChange={(form) => onChange({ ...draft, form })}
      />
      <div
        class={draft.form === "json" ? "draft-text json" : "draft-text"}
        onFocusOut={() => leave(true)}
      >
        <Field
          label={words.value}
          value={draft.text}
          onInput={(text) => onChange({ ...draft, text })}
          rows={8}
          autofocus={autofocus ?? false}
          error={isShown ? read.error : undefined}
        />
      </div>
      <Tags
        label={words.tags}
        value={draft.tags}
        onChange={(tags) => onChange({ ...draft, tags })}
      />
    </>
  );
}
