/** A dialog with a form: it sends once, and stays open, with what was typed, while that fails. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button";
import { Dialog } from "./dialog";
import type { IconNode } from "./icon";
import { tellError } from "./notices";
import { partWords } from "./words";

export interface FormDialogProps {
  title: string;
  /** What the button says that sends the form. */
  button: string;
  icon?: IconNode;
  kind?: "primary" | "danger";
  /** Whether the form cannot be sent yet. */
  disabled?: boolean;
  class?: string;
  /** Sends the form; false leaves the dialog open, for the fields that say what is wrong. */
  act: () => Promise<false | void>;
  onClose: () => void;
  children: ComponentChildren;
}

export function FormDialog(given: FormDialogProps) {
  const { title, button, icon, kind = "primary", disabled = false, act, onClose } = given;
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || disabled) return;
    setBusy(true);
    try {
      if ((await act()) !== false) onClose();
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
  };
  return (
    <Dialog title={title} onClose={onClose} class={given.class}>
      <form onSubmit={(event) => void submit(event)}>
        {given.children}
        <div class="actions">
          <Button kind={kind} icon={icon} submits disabled={isBusy || disabled}>
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
