/** A dialog of the browser's own kind: it keeps the focus, and Escape closes it. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { X } from "lucide";
import { Button } from "./button";
import { layers, Notices } from "./notices";
import { partWords } from "./words";

export interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  class?: string | undefined;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, wide, class: name, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const layer = useRef({}).current;
  // Before the next key: what is typed right after the click belongs into the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    layers.value = [...layers.peek(), layer];
    return () => {
      layers.value = layers.peek().filter((one) => one !== layer);
      before?.focus?.();
    };
  }, []);
  const closeOutside = (event: MouseEvent): void => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={["dialog", wide && "wide", name].filter(Boolean).join(" ")}
      aria-labelledby={heading}
      onClose={onClose}
      onPointerDown={closeOutside}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <Button kind="quiet" icon={X} label={partWords().close} onClick={onClose} />
        </header>
        {children}
      </div>
      <Notices layer={layer} />
    </dialog>
  );
}
