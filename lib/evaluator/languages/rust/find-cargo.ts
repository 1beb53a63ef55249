/** Finds cargo on this computer: rustup puts a script in its place, so the compiler itself says where it is. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Surroundings, Tool } from "../../language.ts";
import { answerOf, findProgram, resolved } from "../../process/find-program.ts";

export function findCargo({ folders, env }: Surroundings): Tool | undefined {
  const home = env.CARGO_HOME ?? join(env.HOME ?? "/", ".cargo");
  const rustc = findProgram("rustc", [...folders, join(home, "bin")]);
  const root = rustc ? (answerOf(rustc, ["--print", "sysroot"], env) ?? "").trim() : "";
  if (!rustc || !isAbsolute(root)) return undefined;
  const own = join(root, "bin");
  const program = findProgram("cargo", [own, ...folders]);
  const version = program && answerOf(program, ["--version"], env)?.trim();
  if (!program || !version) return undefined;
  const rustfmt = findProgram("rustfmt", [own]);
  return {
    program,
    version,
    root,
    ...(rustfmt ? { beside: { rustfmt } } : {}),
    readable: existsSync(own) ? [root, ...resolved(root)] : [],
  };
}
