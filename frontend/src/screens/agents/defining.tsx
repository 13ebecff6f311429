/** Defines an agent that thinks with a model, or changes one of the user's own. */
import { useState } from "preact/hooks";
import { asToolError, call } from "../../api/tools";
import { Check, Choice, Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { tell } from "../../parts/notices";
import type { Line } from "./screen";
import { agentWords } from "./words";

export interface DefiningProps {
  /** The agent to change; null for a new one. */
  of: Line | null;
  mayChooseEndpoint: boolean;
  mayShare: boolean;
  onClose: () => void;
  onDone: () => void;
}

const MINUTE_S = 60;

export function Defining({ of, mayChooseEndpoint, mayShare, onClose, onDone }: DefiningProps) {
  const words = agentWords();
  const [name, setName] = useState(of?.name ?? "");
  const [description, setDescription] = useState(of?.description ?? "");
  const [instructions, setInstructions] = useState(of?.instructions ?? "");
  const [endpoint, setEndpoint] = useState(of?.endpoint ?? "");
  const [model, setModel] = useState(of?.model ?? "");
  const [kind, setKind] = useState(of?.kind ?? "openai");
  const [keyVariable, setKeyVariable] = useState(of?.keyVariable ?? "");
  const [minutes, setMinutes] = useState(String((of?.timeoutS ?? 600) / MINUTE_S));
  const [mayEdit, setMayEdit] = useState(of?.mayEdit ?? false);
  const [isShared, setShared] = useState(of?.isShared ?? false);
  const [isTaken, setTaken] = useState(false);
  const save = async (): Promise<false | void> => {
    const place = mayChooseEndpoint
      ? { ...named("endpoint", endpoint), ...named("keyVariable", keyVariable), kind }
      : {};
    try {
      await call("page_define_agent", {
        agentName: name.trim(),
        instructions,
        description: description.trim(),
        ...named("model", model),
        ...place,
        mayEdit,
        timeoutS: Number(minutes) * MINUTE_S,
        isShared,
        isNew: of === null,
      });
      tell(words.saved(name.trim()));
      onDone();
    } catch (caught) {
      if (of !== null || asToolError(caught).status !== 409) throw caught;
      setTaken(true);
      return false;
    }
  };
  return (
    <FormDialog
      title={of ? words.editTitle(of.name) : words.make}
      button={words.save}
      act={save}
      onClose={onClose}
    >
      {!of && (
        <Field
          label={words.name}
          value={name}
          onInput={(text) => {
            setName(text);
            setTaken(false);
          }}
          required
          autofocus
          maxLength={100}
          error={isTaken ? words.nameTaken : undefined}
        />
      )}
      <Field
        label={words.description}
        value={description}
        onInput={setDescription}
        hint={words.descriptionHint}
        maxLength={300}
      />
      <Field
        label={words.instructions}
        value={instructions}
        onInput={setInstructions}
        hint={words.instructionsHint}
        rows={6}
        required
        autofocus={of !== null}
      />
      {mayChooseEndpoint && (
        <>
          <Field
            label={words.endpoint}
            type="url"
            value={endpoint}
            onInput={setEndpoint}
            hint={words.endpointHint}
          />
          <Choice
            label={words.kind}
            value={kind}
            of={[
              { value: "openai", label: words.openai },
              { value: "anthropic", label: words.anthropic },
            ]}
            onChange={setKind}
          />
          <Field
            label={words.keyVariable}
            value={keyVariable}
            onInput={setKeyVariable}
            hint={words.keyVariableHint}
          />
        </>
      )}
      <Field label={words.modelName} value={model} onInput={setModel} hint={words.modelHint} />
      <Field
        label={words.minutes}
        type="number"
        value={minutes}
        onInput={setMinutes}
        hint={words.minutesHint}
        required
      />
      <Check label={words.mayEdit} value={mayEdit} onChange={setMayEdit} />
      {mayShare && <Check label={words.mayShare} value={isShared} onChange={setShared} />}
    </FormDialog>
  );
}

/** A parameter, or none where nothing was typed. */
function named<N extends string>(name: N, typed: string): Partial<Record<N, string>> {
  const value = typed.trim();
  return value ? ({ [name]: value } as Record<N, string>) : {};
}
