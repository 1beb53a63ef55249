/** Whether generated code may run without a sandbox: by flag, variable or file, or by asking at the terminal. */

import { createConsent } from "../../host/user-trust.ts";
import type { UnsealedConsent } from "../../sandbox/permission.ts";
import type { Shell } from "../display/shell.ts";
import { createTerminal } from "../display/terminal.ts";
import { homeOf, type Layers, readSettings } from "./settings.ts";

export function unsealedBy(layers: Layers, shell: Shell): UnsealedConsent {
  const terminal = createTerminal({ input: process.stdin, output: shell.progress });
  return {
    permitted: () => readSettings(layers).unsealed === true,
    kept: createConsent({ home: homeOf(layers), env: layers.env }),
    ask: terminal.isThere
      ? async (means) => {
          shell.say(means);
          const answer = await terminal.line("Run it unsealed all the same? You are asked once. [y/N]");
          return /^y(es)?$/i.test(answer.trim());
        }
      : undefined,
  };
}
