/** A text to copy: shown whole, selected and copied by a button. */
import { Copy } from "lucide";
import { useId, useRef } from "preact/hooks";
import { Button } from "./button";
import { tell } from "./notices";
import { partWords } from "./words";

export function Copyable({ label, text, hint }: { label: string; text: string; hint?: string }) {
  const words = partWords();
  const id = useId();
  const box = useRef<HTMLPreElement>(null);
  const copy = (): void => {
    // Where the page may not write to the clipboard, the selection is there for the keys.
    if (box.current) getSelection()?.selectAllChildren(box.current);
    void navigator.clipboard?.writeText(text).then(
      () => tell(words.copied),
      () => undefined,
    );
  };
  return (
    <div class="copyable">
      <p id={id} class="field-hint">
        {label}
      </p>
      <div class="copyable-box">
        <pre ref={box} tabIndex={0} role="group" aria-labelledby={id}>
          {text}
        </pre>
        <Button small icon={Copy} onClick={copy}>
          {words.copy}
        </Button>
      </div>
      {hint && <p class="field-hint">{hint}</p>}
    </div>
  );
}
