/** How this browser shows texts. */
import { signal } from "@preact/signals";
import { keptSwitch } from "../app/settings";

/** Markdown as it is written, without live preview. */
export const isSource = keptSwitch("source", false);
export const showsAuthors = keptSwitch("authors", true);
/** Comments and suggestions beside the text, where there is room. */
export const showsReview = keptSwitch("review", true);
/** The document whose editor takes the focus once its text is there: one that was just made. */
export const wantsFocus = signal<string | null>(null);
