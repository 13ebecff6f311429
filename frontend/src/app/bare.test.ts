/** Texts that users read come from catalogues: none is written into a component. */
import { expect, test } from "vitest";
import { parseSync } from "vite";

const SOURCES = import.meta.glob("../**/*.tsx", { query: "?raw", import: "default", eager: true });
// What people read or hear, if it is written there.
const READ = new Set(["label", "title", "placeholder", "hint", "aria-label", "alt", "note"]);
// The product's own name is the same in every language.
const NAMES = new Set(["Strata"]);
const LETTERS = /\p{L}{2}/u;

interface Node {
  type: string;
  value?: unknown;
  name?: { name?: string };
  [field: string]: unknown;
}

function bareTexts(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) node.forEach((one) => bareTexts(one, found));
  else if (node && typeof node === "object") {
    const here = node as Node;
    if (here.type === "JSXText") note(String(here.value), found);
    if (here.type === "JSXAttribute" && READ.has(String(here.name?.name))) {
      const value = here.value as Node | null;
      if (value?.type === "Literal") note(String(value.value), found);
    }
    Object.values(here).forEach((one) => bareTexts(one, found));
  }
  return found;
}

function note(text: string, found: string[]): void {
  const words = text.trim();
  if (LETTERS.test(words) && !NAMES.has(words)) found.push(words);
}

test("the check sees what it has to see", () => {
  const source = 'const a = <p title="Hello">Hi {name} there<b>{words.x}</b><kbd>a</kbd></p>;';
  expect(bareTexts(parseSync("a.tsx", source).program)).toEqual(["Hello", "Hi", "there"]);
});

test.each(Object.entries(SOURCES))("%s holds no bare text", (path, source) => {
  expect(bareTexts(parseSync(path, source as string).program)).toEqual([]);
});
