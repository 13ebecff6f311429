/** A dialog that asks for a name; it stays open, with what was typed, while `make` fails. */
import { useState } from "preact/hooks";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Field } from "./field";
import { tellError } from "./notices";
import { partWords } from "./words";

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
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const named = name.trim();
    if (!named) return;
    try {
      await make(named);
      onClose();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={label}
          value={name}
          onInput={setName}
          required
          autofocus
          maxLength={given.longest ?? NAME_CHARACTERS_MAX}
        />
        <div class="actions">
          <Button kind="primary" submits>
            {button}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {partWords().cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
