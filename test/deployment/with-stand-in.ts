/** Runs a command about a deployment with another cdk than the project's: `with-stand-in.ts FOLDER COMMAND [flags]`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandNamed } from "../../lib/cli/commands.ts";
import { createDeploy } from "../../lib/cli/deploy/deploy.ts";
import { createDestroy } from "../../lib/cli/deploy/destroy.ts";
import { createShell } from "../../lib/cli/display/shell.ts";
import { parseArguments } from "../../lib/cli/settings/parse.ts";
import { UserError } from "../../lib/core/errors.ts";
import { remedyText } from "../../lib/core/text/command-line.ts";

const [root = "", name = "", ...argv] = process.argv.slice(2);
const cdk = {
  root,
  node: fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url)),
  program: join(root, "cdk.mjs"),
};
const spec = commandNamed(name);
if (!spec) throw new Error(`There is no command ${name}.`);
const command = name === "deploy" ? createDeploy(cdk) : createDestroy(cdk);
const shell = createShell({ launched: false });
try {
  process.exitCode = await command(parseArguments(spec, argv), shell);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  shell.say(`l2mac: ${error.message}\nNext: ${error.remedy ? remedyText(error.remedy, shell.launcher) : ""}`);
  process.exitCode = error.exitCode;
}
