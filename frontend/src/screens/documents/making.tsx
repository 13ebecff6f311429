/** Makes a document in a folder: an empty one, or one from a template with its blanks filled in. */
import { useState } from "preact/hooks";
import type { PageTemplateAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { go, link } from "../../app/location";
import { wantsFocus } from "../../document/looks";
import { Choice, Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { tellError } from "../../parts/notices";
import type { Folder } from "./places";
import { documentsWords } from "./words";

const TITLE_CHARACTERS_MAX = 400;
const TEMPLATES = 200;

export interface MakingProps {
  folder: Folder | undefined;
  folderName: string;
  /** The Space that the document comes into as well. */
  space: string | null;
  onClose: () => void;
}

export function Making({ folder, folderName, space, onClose }: MakingProps) {
  const words = documentsWords();
  const [title, setTitle] = useState("");
  const [template, setTemplate] = useState("");
  const [about, setAbout] = useState<PageTemplateAnswer | null>(null);
  const [values, setValues] = useState<Record<string, string>>({});
  const known = useAnswer(
    () =>
      call("page_documents", {
        status: ["template"],
        order: "title",
        ascending: true,
        limit: TEMPLATES,
      }),
    [],
    () => false,
  );
  const templates = known.value?.documents ?? [];
  const choose = async (id: string): Promise<void> => {
    setTemplate(id);
    setAbout(null);
    if (!id) return;
    try {
      const found = await call("page_template", { documentId: id });
      setAbout(found);
      setValues(Object.fromEntries(found.variables.map((one) => [one.name, one.default ?? ""])));
    } catch (error) {
      setTemplate("");
      tellError(error);
    }
  };
  const make = async (): Promise<false | void> => {
    const named = title.trim();
    if (!named || (template && !about)) return false;
    const where = { title: named, ...(folder ? { folderId: folder.id } : {}) };
    const made = template
      ? await call("edit_document", {
          action: "createFromTemplate",
          templateDocumentId: template,
          variables: values,
          ...where,
        })
      : await call("edit_document", { action: "create", content: `# ${named}\n\n`, ...where });
    const id = String(made.documentId);
    if (space) await call("page_put_in_space", { spaceId: space, documentIds: [id] });
    wantsFocus.value = id;
    onClose();
    go(link(`/d/${encodeURIComponent(id)}`));
  };
  return (
    <FormDialog title={words.make} button={words.create} act={make} onClose={onClose}>
      <Field
        label={words.titleOf}
        value={title}
        onInput={setTitle}
        required
        autofocus
        maxLength={TITLE_CHARACTERS_MAX}
        hint={words.goesTo(folderName)}
      />
      {templates.length > 0 && (
        <Choice
          label={words.from}
          value={template}
          of={[
            { value: "", label: words.blank },
            ...templates.map((one) => ({ value: one.id, label: one.title || words.untitled })),
          ]}
          onChange={(id) => void choose(id)}
        />
      )}
      {about?.description && <p class="quiet-text">{about.description}</p>}
      {about?.variables.map((one) => (
        <Field
          key={one.name}
          label={one.name}
          value={values[one.name] ?? ""}
          onInput={(value) => setValues({ ...values, [one.name]: value })}
          required={one.default === null}
          hint={one.description || (one.default === null ? "" : words.optional)}
        />
      ))}
    </FormDialog>
  );
}
