/** `npm run gallery`: plays the runs of the gallery and writes `examples/gallery`. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../house-rules.ts";
import { ENTRIES } from "./entries.ts";
import { makeEntry } from "./make-entry.ts";

const wanted = process.argv.slice(2);
for (const entry of ENTRIES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const files = await makeEntry(entry);
  const folder = join(projectRoot, "examples/gallery", entry.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  console.log(`examples/gallery/${entry.name}`);
}
