/** Says what a user has to know, without taking the focus away. */
import { signal } from "@preact/signals";
import { X } from "lucide";
import { useRef } from "preact/hooks";
import type { ToolError } from "../api/tools";
import { Button } from "./button";
import { Commands, Said } from "./commands";
import { partWords } from "./words";

export interface Notice {
  kind: "info" | "error";
  message: string;
  hint?: string;
  /** What the server says of it, in English, where the page's language is another. */
  said?: string;
  /** A text that could not be saved, kept until the user closes the notice. */
  text?: string;
  action?: { label: string; act: () => void };
}

export const notices = signal<readonly Notice[]>([]);

/** The open dialogs, newest last: what is outside of that one is neither heard nor pressed. */
export const layers = signal<readonly object[]>([]);

const SHOWN_MS = 8000;

/** Shows a notice; one without a text to keep goes away by itself. */
export function tell(message: string, more: Partial<Notice> = {}): void {
  const notice: Notice = { kind: "info", message, ...more };
  notices.value = [...notices.value, notice];
  if (notice.text === undefined) setTimeout(() => dismiss(notice), SHOWN_MS);
}

export function tellError(error: unknown): void {
  const { message, hint = "", said = "" } = error as Partial<ToolError>;
  tell(message ?? String(error), { kind: "error", hint, said });
}

function dismiss(notice: Notice): void {
  notices.value = notices.value.filter((one) => one !== notice);
}

/** The notices of the page, or of a dialog while it is the newest one. */
export function Notices({ layer }: { layer?: object }) {
  const shown = layers.value.at(-1) === layer ? notices.value : [];
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map((notice, index) => (
        <NoticeCard key={`${index} ${notice.message}`} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  const words = partWords();
  const kept = useRef<HTMLTextAreaElement>(null);
  const copy = (): void => {
    kept.current?.select();
    void navigator.clipboard?.writeText(notice.text ?? "").catch(() => undefined);
  };
  const { action } = notice;
  // What the page says itself may quote the user's words, backticks and all.
  const said = notice.kind === "error" ? <Commands text={notice.message} /> : notice.message;
  return (
    <div class={`notice notice-${notice.kind}`} role={notice.text ? "alert" : undefined}>
      <p>
        {notice.text === undefined ? said : <strong>{said}</strong>}
        {notice.hint && (
          <>
            {" "}
            <Commands text={notice.hint} />
          </>
        )}
      </p>
      <Said text={notice.said} />
      {notice.text !== undefined && (
        <>
          <textarea
            ref={kept}
            class="kept"
            rows={5}
            readOnly
            value={notice.text}
            aria-label={words.yourText}
          />
          <Button kind="primary" onClick={copy}>
            {words.copyText}
          </Button>
        </>
      )}
      {action && (
        <Button
          small
          onClick={() => {
            dismiss(notice);
            action.act();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button
        kind="quiet"
        class="dismiss"
        icon={X}
        label={words.dismiss}
        onClick={() => dismiss(notice)}
      />
    </div>
  );
}
