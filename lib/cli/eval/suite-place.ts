/** Where data of suites is: what is downloaded is kept with the user, once; exercises may be in a folder of the user. */
import { join, resolve } from "node:path";
import type { SuitePlace } from "../../../packages/eval/index.ts";
import { userFolder } from "../../host/user-folder.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { EXERCISES } from "./eval-commands.ts";

export function suitePlace({ env, cwd, say }: Pick<Shell, "env" | "cwd" | "say">, { flags }: Arguments): SuitePlace {
  const exercises = flags.get(EXERCISES.name);
  return {
    cache: join(userFolder(env), "suites"),
    env,
    say,
    ...(exercises === undefined ? {} : { exercises: resolve(cwd, exercises) }),
  };
}
