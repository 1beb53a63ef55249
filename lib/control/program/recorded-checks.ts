/** What the program of a run found out, in order: what a fork inherits of it, and then its own. */
import { defined } from "../../core/defined.ts";
import type { InheritedCheck } from "../../core/run/forks/stored-fork.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { FORK } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { RunStores } from "./stored-program.ts";

const EVENTS_AT_ONCE = 500;

export async function recordedChecks({ registry, files }: RunStores, run: Run): Promise<InheritedCheck[]> {
  const fork = run.forkedFrom && (await readBody(files, { key: fileStoreKeys(run.id).fork }, FORK));
  const checks = [...(fork?.walk?.checks ?? [])];
  for (let after = 0; after < run.events; ) {
    const events = await registry.events(run.id, { after, limit: EVENTS_AT_ONCE });
    for (const event of events) {
      if (event.type !== "checked" || event.holds === undefined) continue;
      const { instruction, place, text, holds, detail, output } = event;
      checks.push({ instruction, place, text, holds, detail, ...defined({ output }) });
    }
    after = events.at(-1)?.seq ?? run.events;
  }
  return checks;
}
