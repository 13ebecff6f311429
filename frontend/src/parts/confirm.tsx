/** Asks before something that cannot be taken back; stays open while it fails. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { tellError } from "./notices";
import { partWords } from "./words";

export interface ConfirmProps {
  title: string;
  button: string;
  act: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

export function Confirm({ title, button, act, onClose, children }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (error) {
      tellError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="actions">
        <Button kind="danger" disabled={isBusy} onClick={() => void go()}>
          {button}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {partWords().cancel}
        </Button>
      </div>
    </Dialog>
  );
}
