/** Where links of a text lead: to other documents by their titles, and out of the app. */
import { call } from "../api/tools";
import { go, link } from "../app/location";
import { match } from "../app/routes";
import { tell, tellError } from "../parts/notices";
import type { Follow } from "../editor/links";
import { documentWords } from "./words";

const SHOWN = 8;
const SAFE = /^(https?|mailto):/iu;

/** Titles of documents that fit some words, those changed last first. */
export async function titlesLike(query: string): Promise<string[]> {
  const found = await find(query);
  return [...new Set(found.map((one) => one.title))];
}

async function find(query: string) {
  const { items } = await call("find", { intent: "recent", query, limit: SHOWN });
  return items;
}

/** Goes to a screen; what is none, such as a file of a document, is the browser's business. */
function here(address: string): void {
  const { pathname } = new URL(address, location.href);
  if (match(pathname)) go(address);
  else location.assign(link(pathname));
}

export const following: Follow = {
  title(title) {
    const same = (one: { title: string }): boolean =>
      one.title.normalize().toLocaleLowerCase() === title.normalize().toLocaleLowerCase();
    find(title).then((items) => {
      const found = items.find(same);
      if (found) go(link(`/d/${encodeURIComponent(found.id)}`));
      else tell(documentWords().noDocument(title), { kind: "error" });
    }, tellError);
  },
  address(address) {
    if (address.startsWith("/")) here(address);
    else if (SAFE.test(address)) open(address, "_blank", "noopener");
  },
};
