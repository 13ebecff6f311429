/** Parts of the editor that are loaded behind the text: no user needs them in the first moment. */
export { authorship } from "./authorship";
export { completing } from "./complete";
export { remoteCursors } from "./cursors";
export { formatting } from "./formatting";
export { moving } from "./moving";
export { pasting } from "./pasting";
export { searching } from "./searching";
export { selectionBar } from "./selection";
export { putFile, uploads } from "./uploads";
export { whereabouts } from "./whereabouts";
export { undoing } from "./undoing";
