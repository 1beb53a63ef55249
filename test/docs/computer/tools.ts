/** The programs of the docs' computer: those of this one without what a bare machine lacks, and stand-ins of those that no test starts. */
import { existsSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** As in `.ci/run`. */
const NOT_BARE = /^(python|pip|pytest|py\.test|bwrap|chromium|docker|node$|npm$|npx$)/;

export function installTools(folder: string): void {
  for (const [name, script] of Object.entries(STAND_INS)) {
    writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }
  symlinkSync(process.execPath, join(folder, "node"));
  for (const from of ["/usr/local/bin", "/usr/bin", "/bin"].filter((each) => existsSync(each))) {
    for (const name of readdirSync(from)) {
      if (!NOT_BARE.test(name) && !existsSync(join(folder, name))) trySymlink(join(from, name), join(folder, name));
    }
  }
}

function found(name: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}

function trySymlink(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Says that a server listens at the port that follows `--port`, else at its standard one. */
const serverAt = (standard: string): string => `
port=${standard}
while [ $# -gt 0 ]; do [ "$1" = --port ] && port=$2; shift; done
touch "$DOCS_NETWORK/port-$port"`;

const STAND_INS: Record<string, string> = {
  // In the clone it starts the clone's own command, at a tenth of the time. test/package.test.ts uses npx itself.
  npx: `
if [ "$1" = l2mac ] && [ -f bin/l2mac.mjs ]; then
  shift
  npm_command=exec npm_lifecycle_event=npx exec node bin/l2mac.mjs "$@"
fi
exec node "${realpathSync(found("npx"))}" "$@"`,
  // The packages are there; \`.ci/run\` installs them from nothing.
  npm: `[ "$*" = ci ] || exec node "${realpathSync(found("npm"))}" "$@"`,
  "llama-server": serverAt("8080"),
  vllm: serverAt("8000"),
  lms: serverAt("1234"),
  litellm: serverAt("4000"),
  ollama: `[ "$1" != serve ] || touch "$DOCS_NETWORK/port-11434"`,
};
