/** Finds Go on this computer. */
import { isAbsolute, join } from "node:path";
import type { Surroundings, Tool } from "../../language.ts";
import { answerOf, findProgram, resolved } from "../../process/find-program.ts";

/** It is asked what it is, and neither to fetch another version of itself nor to keep count of being asked. */
export function findGo({ folders, env }: Surroundings): Tool | undefined {
  const program = findProgram("go", folders);
  if (!program) return undefined;
  const settings = { ...env, GOTOOLCHAIN: "local", GOENV: "off", XDG_CONFIG_HOME: "/dev/null" };
  const [root = "", version = ""] = (answerOf(program, ["env", "GOROOT", "GOVERSION"], settings) ?? "").split("\n");
  if (!isAbsolute(root) || !/^go\d/.test(version)) return undefined;
  const own = join(root, "bin");
  const gofmt = findProgram("gofmt", [own, ...folders]);
  return {
    program: findProgram("go", [own]) ?? program,
    ...(gofmt ? { beside: { gofmt } } : {}),
    root,
    version,
    readable: [root, ...resolved(root)],
  };
}
