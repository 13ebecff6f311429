/** Shares documents from a list: one by the dialog of its page, several with one user. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { branch } from "../../app/location";
import { Share } from "../../document/share";
import { Sheet } from "../../document/sheet";
import { Choice, Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { tell } from "../../parts/notices";
import type { DocumentLine } from "./table";
import { documentsWords } from "./words";

export interface SharingProps {
  lines: readonly DocumentLine[];
  onClose: () => void;
}

export function Sharing({ lines, onClose }: SharingProps) {
  const [first] = lines;
  if (first && lines.length === 1) return <ShareOne id={first.id} onClose={onClose} />;
  return <ShareSeveral lines={lines} onClose={onClose} />;
}

function ShareOne({ id, onClose }: { id: string; onClose: () => void }) {
  const sheet = useMemo(() => new Sheet(id, branch.peek()), [id]);
  useEffect(() => void sheet.learn(), [sheet]);
  return <Share sheet={sheet} onClose={onClose} />;
}

type Given = "viewer" | "commenter" | "editor";

function ShareSeveral({ lines, onClose }: SharingProps) {
  const words = documentsWords();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Given>("viewer");
  const shared = lines.filter((one) => one.canManage);
  const share = async (): Promise<void> => {
    const to = email.trim();
    let count = 0;
    try {
      for (const { id } of shared) {
        await call("edit_document", { action: "share", documentId: id, email: to, role });
        count++;
      }
    } finally {
      if (count > 0) tell(words.sharedWith(count, to));
    }
  };
  return (
    <FormDialog
      title={words.shareTitle(shared.length)}
      button={words.shareNow}
      act={share}
      onClose={onClose}
    >
      {shared.length < lines.length && (
        <p class="quiet-text">{words.shareStays(lines.length - shared.length)}</p>
      )}
      <Field
        label={words.shareEmail}
        type="email"
        value={email}
        onInput={setEmail}
        required
        autofocus
        hint={words.shareWill(shared.length)}
      />
      <Choice
        label={words.shareRole}
        value={role}
        of={[
          { value: "viewer", label: words.shareReads },
          { value: "commenter", label: words.shareComments },
          { value: "editor", label: words.shareEdits },
        ]}
        onChange={setRole}
      />
    </FormDialog>
  );
}
