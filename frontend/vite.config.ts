import { defineConfig, type ProxyOptions } from "vite";

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

export default defineConfig({
  // Packages lie elsewhere and are linked here; by their place here a build is the same anywhere.
  resolve: { preserveSymlinks: true },
  // The server puts a fresh one in with each answer, and allows the editor's styles by it.
  html: { cspNonce: "STRATA_NONCE" },
  build: {
    outDir: "../src/strata/web/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: {
    proxy: { "^/(api|live|sign-in|sign-out)(/|$|\\?)": asOwnPage },
  },
});
