import type { Plugin, ProxyOptions } from "vite";
import { defineConfig } from "vitest/config";

declare const process: { env: Record<string, string | undefined> };

// `./dev frontend watch` passes everything but the page's own files on to a running `./dev serve`.
const target = process.env["STRATA_SERVER"] ?? "http://127.0.0.1:7433";

/** The server takes requests only from its own pages, so these have to look like one of them. */
const asOwnPage: ProxyOptions = {
  target,
  changeOrigin: true,
  ws: true,
  headers: { origin: target },
};

const noHtml = new URL("src/editor/no-html.ts", import.meta.url).pathname;

const unused = new URL("src/editor/unused.ts", import.meta.url).pathname;

/** What packages bring along and this page does not use: the package, the import, its place. */
const REPLACED = [
  // Markdown takes one class of completion for HTML alone; all of completion is loaded later.
  ["lang-markdown", "@codemirror/autocomplete", noHtml],
  ["y-codemirror.next", "./y-remote-selections.js", unused],
  ["yjs", "lib0/logging", unused],
  ["yjs", "lib0/environment", unused],
  ["lib0", "./environment.js", unused],
] as const;

const replacing: Plugin = {
  name: "replacing",
  enforce: "pre",
  resolveId(source, importer = "") {
    const found = REPLACED.find(([by, what]) => source === what && importer.includes(`/${by}/`));
    return found?.[2] ?? null;
  },
};

export default defineConfig({
  plugins: [replacing],
  // Packages lie elsewhere and are linked here; by their place here a build is the same anywhere.
  resolve: {
    preserveSymlinks: true,
    alias: { "@codemirror/lang-html": noHtml },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // The server puts a fresh one in with each answer, and allows the editor's styles by it.
  html: { cspNonce: "STRATA_NONCE" },
  build: {
    outDir: "../src/strata/web/static",
    emptyOutDir: true,
    // Which file needs which: the budgets of routes are counted by it.
    manifest: "manifest.json",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    // One file for all that every screen needs: the first paint waits for it and its styles alone.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "shell", tags: ["$initial"] }] } },
    },
  },
  // The limit finds what hangs; a machine that builds and tests at once may be many times slower.
  test: { environment: "happy-dom", testTimeout: 60_000 },
  server: {
    proxy: { "^/(api|live|sign-in|sign-out)(/|$|\\?)": asOwnPage },
  },
});
