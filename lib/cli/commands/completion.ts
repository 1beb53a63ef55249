/** `l2mac completion`: the script with which a shell completes commands and flags. */
import type { Command } from "../command.ts";
import { SCRIPTS } from "../completion/scripts.ts";
import { usage } from "../settings/parse.ts";

export const completion: Command = async ({ words: [name = ""] }, shell) => {
  const script = SCRIPTS.get(name);
  const shells = [...SCRIPTS.keys()].join(", ");
  if (!script) throw usage({ name: "completion" }, `completion takes one of ${shells}${name && `, not ${name}`}.`);
  shell.out(script);
  return 0;
};
