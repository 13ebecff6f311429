/** Takes the place of parts of Yjs and its binding that this page never runs. */

// Carets of others are drawn by `cursors.ts`.
export const yRemoteSelections = [];
export const yRemoteSelectionsTheme = [];

// This is a browser, and no variables of a process are there.
export const isBrowser = true;
export const getVariable = (): null => null;

// Yjs colours its few warnings with a library of its own.
export const [ORANGE, RED, BOLD, UNBOLD] = ["", "", "", ""];
export const print = (...words: unknown[]): void => console.log(...words);
export const warn = (...words: unknown[]): void => console.warn(...words);
