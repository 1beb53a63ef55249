/**
 * `npm run fixture:stack`: writes the stack of this version, which `npm run rehearse:cloud` updates to the next one. Run
 * it at a release, with `npm run fixture:home` and `npm run fixture:deliveries`, and commit it: it replaces the one of the
 * version before, whose runs are opened as a home from then on.
 */
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectVersion } from "../../../lib/files/project-files.ts";
import { CONFIG } from "../acts/acts.ts";
import { readAssembly, synthesise } from "../cloudformation/assembly.ts";
import { compressAssembly, MODEL_ADDRESS, STACKS, STORED } from "../cloudformation/stored-assembly.ts";
import { MODEL } from "../stage-model.ts";

const into = mkdtempSync(join(tmpdir(), "l2mac-stack-"));
const { template, codeFolder } = readAssembly(
  await synthesise(into, { ...CONFIG, model: MODEL, baseUrl: MODEL_ADDRESS }),
);

/** The runs of the rehearsal make no book and play no scene: fonts and scenes are left out. */
function textsIn(folder: string): Record<string, string> {
  const paths = [...globSync("*.mjs", { cwd: folder }), ...globSync("prompts/**/*.{md,json}", { cwd: folder })];
  return Object.fromEntries(
    paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path), "utf8")]),
  );
}

const keys = Object.values(template.Resources).flatMap(({ Properties }) => {
  const { S3Key } = (Properties?.Code ?? {}) as { S3Key?: string };
  return S3Key ?? [];
});
const code = Object.fromEntries([...new Set(keys)].map((key) => [key, textsIn(codeFolder(key))]));
const stored = compressAssembly({ template, code });
for (const name of readdirSync(STACKS)) if (name.endsWith(STORED)) rmSync(join(STACKS, name));
writeFileSync(join(STACKS, `${projectVersion()}${STORED}`), stored);
rmSync(into, { recursive: true, force: true });
console.log(`${STACKS}${projectVersion()}${STORED}: ${stored.length} bytes`);
