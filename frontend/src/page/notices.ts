/** Says what a user has to know, without taking the focus away. */
import { button, el, icon, place } from "./elements";

const SHOWN_MS = 8000;

/** A passing remark, or an error that goes away by itself. */
export function tell(message: string, kind: "info" | "error" = "info"): void {
  const notice = el("div", { class: `notice notice-${kind}` }, el("p", {}, message));
  notice.append(dismissal(notice));
  place("notices").append(notice);
  setTimeout(() => notice.remove(), SHOWN_MS);
}

/** Keeps a text within reach that could not be saved, until the user closes the notice. */
export function keepText(message: string, hint: string, text: string): void {
  const kept = el("textarea", { class: "kept", rows: 5, readOnly: true, value: text });
  kept.setAttribute("aria-label", "Your text, as it was here");
  const copy = button("Copy my text", () => void copyFrom(kept), { class: "primary" });
  const words = el("p", {}, el("strong", {}, message), hint ? ` ${hint}` : "");
  const notice = el("div", { class: "notice notice-error", role: "alert" }, words, kept, copy);
  notice.append(dismissal(notice));
  place("notices").append(notice);
}

function dismissal(notice: HTMLElement): HTMLElement {
  const close = button("", () => notice.remove(), {
    class: "quiet dismiss",
    aria: { label: "Dismiss" },
  });
  close.append(icon("close"));
  return close;
}

async function copyFrom(kept: HTMLTextAreaElement): Promise<void> {
  kept.select();
  await navigator.clipboard?.writeText(kept.value).catch(() => undefined);
}
