/** Runs an agent: on a document or on all, with an instruction; says what will happen. */
import { FileText, Play, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import type { Finds, FoundDocument } from "../../api/types";
import { go } from "../../app/location";
import { branchName } from "../../app/switches";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { folderName } from "../../parts/folder-name";
import { FormDialog } from "../../parts/form-dialog";
import { Icon } from "../../parts/icon";
import { tellError } from "../../parts/notices";
import { editsOf, type Line } from "./screen";
import { taskPath } from "./tasks";
import { agentWords, describe } from "./words";

const INSTRUCTION_BYTES_MAX = 16 * 1024;
const TYPING_MS = 200;
const FOUND = 6;

export function RunAgent({ agent, onClose }: { agent: Line; onClose: () => void }) {
  const words = agentWords();
  const [document, choose] = useState<FoundDocument | null>(null);
  const [instruction, setInstruction] = useState("");
  const size = new TextEncoder().encode(instruction).length;
  const isLong = size > INSTRUCTION_BYTES_MAX;
  const run = async (): Promise<void> => {
    const asked = instruction.trim();
    const made = await call("invoke_agent", {
      agentId: agent.id,
      ...(document ? { documentId: document.id } : {}),
      ...(asked ? { instruction: asked } : {}),
    });
    go(taskPath(made.taskId));
  };
  return (
    <FormDialog
      title={words.runTitle(agent.name)}
      button={words.run}
      icon={Play}
      disabled={isLong}
      class="run-agent"
      act={run}
      onClose={onClose}
    >
      <p>{describe(agent) || agent.instructions}</p>
      <DocumentChoice chosen={document} onChoose={choose} />
      <Field
        label={words.instruction}
        value={instruction}
        onInput={setInstruction}
        rows={3}
        hint={agent.whose === "strata" ? words.instructionHint : words.instructionFree}
        error={isLong ? words.tooLong : undefined}
      />
      <p class="will" role="status">
        {words.will(
          document ? words.on(document.title) : words.onAll,
          words[editsOf(agent)],
          branchName(),
        )}
      </p>
    </FormDialog>
  );
}

interface ChoiceProps {
  chosen: FoundDocument | null;
  onChoose: (document: FoundDocument | null) => void;
}

/** One document by words of its title or text, or none: then all that the user sees. */
function DocumentChoice({ chosen, onChoose }: ChoiceProps) {
  const words = agentWords();
  const [typed, type] = useState("");
  const [found, setFound] = useState<FoundDocument[]>([]);
  const query = typed.trim();
  useEffect(() => {
    if (!query) return setFound([]);
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const given = { intent: "search", query, scope: { type: "all" }, limit: FOUND } as const;
      try {
        const answer = (await call("find", given)) as unknown as Finds;
        if (isCurrent) setFound(answer.items.filter((one) => one.id.startsWith("doc_")));
      } catch (error) {
        if (isCurrent) tellError(error);
      }
    };
    const timer = setTimeout(() => void look(), TYPING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query]);
  if (chosen)
    return (
      <div class="field">
        <span class="field-label">{words.document}</span>
        <p class="chosen-document">
          <Icon of={FileText} />
          <span>{chosen.title}</span>
          <Button
            small
            kind="quiet"
            icon={X}
            label={words.noDocument}
            onClick={() => onChoose(null)}
          />
        </p>
      </div>
    );
  return (
    <div class="document-choice">
      <Field
        label={words.document}
        type="search"
        value={typed}
        onInput={type}
        autofocus
        placeholder={words.anyDocument}
        hint={words.documentHint}
      />
      {found.length > 0 && (
        <ul class="choices" aria-label={words.found}>
          {found.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                onClick={() => {
                  type("");
                  onChoose(one);
                }}
              >
                <span>{one.title}</span>
                <span class="quiet-text">{folderName(one.folderName ?? "")}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
