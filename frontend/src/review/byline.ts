/** Who said it, and when. */
import type { Said } from "../api/types";
import { el, icon } from "../page/elements";
import { ago } from "../page/times";

export function byline(said: Said): HTMLElement {
  const agent = said.via ? el("span", { class: "agent-tag" }, icon("agent"), said.via) : null;
  const when = said.created ? el("time", { dateTime: said.created }, ago(said.created)) : null;
  return el("p", { class: "byline" }, el("strong", {}, said.author), agent, when);
}
