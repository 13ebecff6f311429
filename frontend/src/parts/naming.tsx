/** A dialog that asks for a name. */
import { useState } from "preact/hooks";
import { Field } from "./field";
import { FormDialog } from "./form-dialog";

const NAME_CHARACTERS_MAX = 200;

export interface NamingProps {
  title: string;
  label: string;
  /** What the button says. */
  button: string;
  make: (name: string) => Promise<void>;
  onClose: () => void;
  /** The name until now. */
  start?: string;
  longest?: number;
}

export function Naming(given: NamingProps) {
  const { title, label, button, make, onClose } = given;
  const [name, setName] = useState(given.start ?? "");
  const named = name.trim();
  return (
    <FormDialog
      title={title}
      button={button}
      act={async () => (named ? await make(named) : false)}
      onClose={onClose}
    >
      <Field
        label={label}
        value={name}
        onInput={setName}
        required
        autofocus
        maxLength={given.longest ?? NAME_CHARACTERS_MAX}
      />
    </FormDialog>
  );
}
