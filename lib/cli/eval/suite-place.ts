/** Where downloaded data of suites is kept: with the user, so that it is downloaded once. */
import { join } from "node:path";
import type { SuitePlace } from "../../eval/suite.ts";
import { userFolder } from "../../host/user-folder.ts";
import type { Shell } from "../display/shell.ts";

export const suitePlace = ({ env }: Pick<Shell, "env">): SuitePlace => ({
  cache: join(userFolder(env), "suites"),
  env,
});
