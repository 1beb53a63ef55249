/** Which program runs a project's Python tests. Asking costs a start of Python, so that it is asked once of each. */
import type { Toolchain, WorkspaceCopy } from "../../language.ts";

/** Only looks: importing it takes ten times as long. */
const LOOK = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pytest') is None)";

/** By toolchain, the Pythons that were seen to have it. What has none may get it yet. */
const seen = new WeakMap<Toolchain, Set<string>>();

export async function runnerOf(
  program: string,
  toolchain: Toolchain,
  copy: WorkspaceCopy,
): Promise<"pytest" | "unittest"> {
  const having = seen.get(toolchain) ?? new Set();
  seen.set(toolchain, having);
  if (having.has(program)) return "pytest";
  const looked = await copy.run({ argv: [program, "-I", "-c", LOOK] });
  if (looked.exitCode !== 0) return "unittest";
  having.add(program);
  return "pytest";
}
