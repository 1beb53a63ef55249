/** The shell of a command that is called in this process: what it says and writes is kept. */
import type { Shell } from "../../lib/cli/display/shell.ts";

export function listeningShell(cwd: string): { shell: Shell; said: string[]; out: () => string } {
  const said: string[] = [];
  let out = "";
  const shell = {
    ...{ cwd, env: { XDG_CONFIG_HOME: cwd } },
    say: (line: string) => said.push(line),
    out: (text: string) => {
      out += text;
    },
  } as unknown as Shell;
  return { shell, said, out: () => out };
}
