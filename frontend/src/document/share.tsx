/** Shares a document with a user by email, and says who sees it from then on. */
import { useState } from "preact/hooks";
import { call } from "../api/tools";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Choice, Field } from "../parts/field";
import { tell, tellError } from "../parts/notices";
import type { Sheet } from "./sheet";
import { documentWords } from "./words";

interface Reader {
  name?: string;
  email: string;
  role: string;
  through?: string;
}

interface Audience {
  people?: Reader[];
  invited?: Reader[];
}

type Given = "viewer" | "commenter" | "editor";

export function Share({ sheet, onClose }: { sheet: Sheet; onClose: () => void }) {
  const words = documentWords();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Given>("editor");
  const [audience, setAudience] = useState<Audience | null>(null);
  const roles: { value: Given; label: string }[] = [
    { value: "viewer", label: words.roleViewer },
    { value: "commenter", label: words.roleCommenter },
    { value: "editor", label: words.roleEditor },
  ];
  const share = async (event: Event): Promise<void> => {
    event.preventDefault();
    const to = email.trim();
    try {
      const given = { action: "share", documentId: sheet.id, email: to, role } as const;
      const answer = await call("edit_document", given);
      setAudience(answer.effectiveAudience as Audience);
      setEmail("");
      tell(answer.pending ? words.invited(to) : words.shared(to));
    } catch (error) {
      tellError(error);
    }
  };
  const folder = sheet.about.value?.folderName;
  return (
    <Dialog title={words.shareTitle} onClose={onClose}>
      {folder && <p class="quiet-text">{words.folder(folder)}</p>}
      <form onSubmit={(event) => void share(event)}>
        <Field
          label={words.email}
          type="email"
          value={email}
          onInput={setEmail}
          required
          autofocus
        />
        <Choice label={words.role} value={role} of={roles} onChange={setRole} />
        <div class="actions">
          <Button kind="primary" submits>
            {words.shareNow}
          </Button>
        </div>
      </form>
      {audience && <Readers audience={audience} />}
    </Dialog>
  );
}

function Readers({ audience }: { audience: Audience }) {
  const words = documentWords();
  const all = [...(audience.people ?? []), ...(audience.invited ?? [])];
  return (
    <section aria-label={words.readers}>
      <h3>{words.readers}</h3>
      <ul class="readers">
        {all.map((one) => (
          <li key={one.email}>
            <span>{one.name || one.email}</span>
            <span class="quiet-text">
              {one.through ? words.through(one.role, one.through) : one.role}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
