/** `l2mac deploy`: looks before it leaps, deploys the stack with cdk, stores the model's key, and says what to do next. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "../../deployment/chosen.ts";
import type { Cdk } from "../../deployment/run-cdk.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { createTerminal, type Terminal } from "../display/terminal.ts";
import { prepareAccount } from "./deploy-bootstrap.ts";
import { confirmed, showChanges } from "./deploy-changes.ts";
import { createKeySetter } from "./deploy-key.ts";
import { nextSteps } from "./deploy-next.ts";
import { lookBefore } from "./deploy-preflight.ts";
import { deployStack, synthesise } from "./deploy-stack.ts";
import { type Asked, needCdk, projectCdk, readAsked } from "./deployment-asked.ts";

/** What all parts of a deployment need. */
export interface Deploying extends Asked {
  cdk: Cdk;
  shell: Shell;
  terminal: Terminal;
  caller: Caller;
  /** Where cdk synthesised the stack to. */
  folder: string;
}

const DECLINED = 1;

/** `cdk`: whose cdk, and where the project is. */
export const createDeploy =
  (cdk: Cdk): Command =>
  async (given, shell) => {
    needCdk(cdk, "deploy");
    const terminal = createTerminal({ input: process.stdin, output: shell.progress });
    const asked = readAsked(given, shell, cdk.root);
    const setKey = await createKeySetter(given, shell, terminal);
    const caller = await lookBefore(asked, shell);
    const folder = mkdtempSync(join(tmpdir(), "l2mac-deploy-"));
    try {
      const deploying: Deploying = { ...asked, cdk, shell, terminal, caller, folder };
      const assembly = await synthesise(deploying);
      await prepareAccount(deploying, assembly.needsBootstrap);
      await showChanges(deploying, assembly);
      if (!(await confirmed(deploying, "Deploy this?"))) {
        shell.say("Nothing was deployed, and nothing is charged.");
        return DECLINED;
      }
      const outputs = await deployStack(deploying);
      const key = await setKey(deploying, outputs);
      shell.say(nextSteps({ outputs, asked, key, types: assembly.types }));
      shell.out(`${outputs.ApiUrl}\n`);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

export const deploy: Command = (given, shell) => createDeploy(projectCdk())(given, shell);
