// Packs every text file of a folder with Brotli, beside it: Python has no packer of its own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const folder = process.argv[2];
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
for (const name of readdirSync(folder)) {
  if (!/\.(js|css|svg|json)$/.test(name)) continue;
  const path = join(folder, name);
  writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), options));
}
