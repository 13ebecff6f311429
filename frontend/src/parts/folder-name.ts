/** Names of folders as the page shows them. */
import { catalogue } from "../app/words";

/** The server gives every user's own folder this name; it cannot be renamed. */
const PERSONAL = "Personal";

const folderWords = catalogue({ personal: PERSONAL }, { personal: "개인" });

/** What the user's own folder is called in the language of the page. */
export function personalName(): string {
  return folderWords().personal;
}

/** A folder's name; that of a user's own folder is translated. */
export function folderName(name: string): string {
  return name === PERSONAL ? personalName() : name;
}
