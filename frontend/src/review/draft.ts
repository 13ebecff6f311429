/** What a user is writing about some words of the text. */
export interface Draft {
  kind: "comment" | "suggestion";
  /** The words that it is about. */
  words: string;
  /** What a suggestion begins with. */
  text: string;
  start: number;
  path: string[];
  /** The suggestion that this one takes the place of. */
  replaces?: string;
}
