/** Asks before something that cannot be taken back. */
import { FormDialog, type FormDialogProps } from "./form-dialog";

export function Confirm(given: Omit<FormDialogProps, "kind">) {
  return <FormDialog {...given} kind="danger" />;
}
