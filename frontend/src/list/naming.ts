/** Asks for the title of a new document. */
import { button, el } from "../page/elements";

/** Shows the question; `make` is called with a title, and the question stays if it fails. */
export function askTitle(make: (title: string) => Promise<void>): void {
  const title = el("input", { type: "text", id: "title", required: true, maxLength: 200 });
  title.autocomplete = "off";
  const cancel = button("Cancel", () => dialog.close(), { class: "quiet" });
  const create = el("button", { type: "submit", class: "primary" }, "Create");
  const actions = el("div", { class: "actions" }, create, cancel);
  const form = el(
    "form",
    {},
    el("label", { for: "title" }, "Title of the document"),
    title,
    actions,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = title.value.trim();
    if (words) void make(words);
  });
  const dialog = el("dialog", { class: "ask" }, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
