/** Finds PHP on this computer. Its extensions are named in settings, which must be readable too. */
import { dirname, isAbsolute } from "node:path";
import type { Surroundings, Tool } from "../../language.ts";
import { answerOf, findProgram, partsOf, resolved } from "../../process/find-program.ts";

const ASK =
  'echo PHP_VERSION, "\\n", PHP_BINARY, "\\n", PHP_PREFIX, "\\n", PHP_CONFIG_FILE_PATH, "\\n", PHP_CONFIG_FILE_SCAN_DIR;';
/** Folders that more lies in than PHP's settings. */
const SHARED = new Set(["/", "/etc", "/usr", "/usr/local", "/usr/local/etc", "/usr/local/lib", "/usr/lib"]);

export function findPhp({ folders, env }: Surroundings): Tool | undefined {
  const found = findProgram("php", folders);
  const [version = "", program = "", root = "", settings = "", scanned = ""] =
    (found && answerOf(found, ["-r", ASK], env)?.split("\n")) || [];
  if (!isAbsolute(program) || !isAbsolute(root)) return undefined;
  const readable = [
    ...(root === "/usr" ? [] : [...[root, ...resolved(root)].flatMap(partsOf), dirname(program)]),
    settings,
    scanned,
  ].filter((path) => isAbsolute(path) && !SHARED.has(path));
  // Those of Debian are links into folders beside them.
  const beside = settings.startsWith("/etc/php/") ? [dirname(settings)] : [];
  return { program, version, root, readable: [...new Set([...readable, ...readable.flatMap(resolved), ...beside])] };
}
