/** Finds Ruby on this computer. */
import { dirname, isAbsolute } from "node:path";
import type { Surroundings, Tool } from "../../language.ts";
import { answerOf, findProgram, partsOf, resolved } from "../../process/find-program.ts";

const ASK = "puts RUBY_VERSION, RbConfig.ruby, RbConfig::CONFIG['prefix']";

/** Version managers put scripts in the way: Ruby itself says where it is. */
export function findRuby({ folders, env }: Surroundings): Tool | undefined {
  const found = findProgram("ruby", folders);
  const [version = "", program = "", root = ""] =
    (found && answerOf(found, ["--disable-gems", "-r", "rbconfig", "-e", ASK], env)?.split("\n")) || [];
  if (!isAbsolute(program) || !isAbsolute(root)) return undefined;
  const isSystems = root === "/usr" || root === "/";
  return {
    program,
    version,
    root,
    readable: isSystems ? [] : [...[root, ...resolved(root)].flatMap(partsOf), dirname(program)],
  };
}
