/** Runs a command in this computer's sandbox on the files that a run had after an instruction. */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { packTree } from "../../pack/pack.ts";
import { cacheFolder } from "../../sandbox/cache.ts";
import { openEvaluator } from "../../sandbox/open-evaluator.ts";
import { createCodePermit } from "../../sandbox/permission.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { filesAt } from "../inspect/state-files.ts";
import type { Connection } from "../runs/connection.ts";
import { madeHome } from "../settings/own-home.ts";
import { unsealedBy } from "../settings/unsealed.ts";

export interface Trial {
  /** Undefined: it was not run at all, for the reason that the verdict has. */
  command: Verdict["command"];
  verdict: Verdict;
}

export interface StepTrials {
  try(at: number): Promise<Trial>;
  close(): Promise<void>;
}

export interface TrialRequest {
  run: Run;
  connection: Connection;
  argv: string[];
  flags: Arguments["flags"];
}

/** Throws where generated code may not be run on this computer. */
export async function openTrials({ run, connection, argv, flags }: TrialRequest, shell: Shell): Promise<StepTrials> {
  const home = madeHome(shell);
  const { evaluator, sealed } = openEvaluator({ home, env: shell.env, announce: shell.say });
  const unsealed = unsealedBy({ ...shell, flags }, shell);
  await createCodePermit({ sealed: () => sealed, unsealed, platform: process.platform })();
  // The run itself may be computed meanwhile: its own tree is not touched.
  const runId = `bisect-${randomUUID()}`;
  return {
    async try(at) {
      const load = async (): Promise<Uint8Array> => {
        const files = await filesAt(connection, run, at);
        return packTree(
          undefined,
          [...files].map(([path, content]) => ({ path, content })),
        );
      };
      const verdict = await evaluator.evaluate({
        runId,
        base: { key: `${run.id}/${at}`, load },
        changes: [],
        command: { argv },
        install: run.options.install,
        timeoutMs: evaluationMsOf(run.options),
      });
      return { command: verdict.command, verdict };
    },
    async close() {
      await evaluator.release?.(runId);
      await rm(join(cacheFolder(home), "trees", runId), { recursive: true, force: true });
    },
  };
}
