/** A value, text or JSON: its beginning where it is long, and the whole of it as a file. */
import { Download } from "lucide";
import type { Json } from "../../../docs/reference/page";
import { Button } from "./button";
import { partWords } from "./words";

/** More would keep the page waiting; the rest is in the file. */
const SHOWN_CHARACTERS = 20_000;

/** The text of a value as people read it. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

export function Value({ value, name }: { value: Json; name: string }) {
  const words = partWords();
  const text = textOf(value);
  const isLong = text.length > SHOWN_CHARACTERS;
  const isJson = typeof value !== "string";
  return (
    <>
      <pre class={isJson ? "value json" : "value"} tabIndex={0} aria-label={name}>
        {isLong ? text.slice(0, SHOWN_CHARACTERS) : text}
      </pre>
      {isLong && (
        <p class="value-more">
          <span>{words.onlyBeginning(SHOWN_CHARACTERS, text.length)}</span>
          <Button small icon={Download} onClick={() => download(name, text, isJson)}>
            {words.download}
          </Button>
        </p>
      )}
    </>
  );
}

/** Gives a text to the user as a file. */
export function download(name: string, text: string, isJson: boolean): void {
  const type = isJson ? "application/json" : "text/plain;charset=utf-8";
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = `${name.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.${isJson ? "json" : "txt"}`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
