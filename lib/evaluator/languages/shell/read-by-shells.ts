/** Has scripts read by their shells, all in one sealed command, and understands what the shells say. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { headAndTail } from "../../../core/text/cut.ts";
import { sanitize } from "../../../core/text/sanitize.ts";
import type { Finding } from "../../../core/verdict/verdict.ts";
import type { SyntaxResult, Workspace } from "../../language.ts";
import type { Script } from "./scripts.ts";

export interface ShellResult {
  findings: Finding[];
  /** Shells that are not here. */
  missing: string[];
}

/** Far below what a system takes as arguments. */
const AT_ONCE = 200;
const OUTPUT_BYTES = 8 * 1024 * 1024;
const MESSAGE_CHARS = 300;
const FINDINGS_OF_A_FILE = 3;

export async function readByShells(scripts: Script[], workspace: Workspace): Promise<ShellResult | SyntaxResult> {
  const findings: Finding[] = [];
  const missing = new Set<string>();
  for (let from = 0; from < scripts.length; from += AT_ONCE) {
    const batch = scripts.slice(from, from + AT_ONCE);
    const said = await ask(batch, workspace);
    if (!Array.isArray(said)) return said;
    for (const [at, script] of batch.entries()) {
      const { code, output } = said[at] ?? { code: "", output: "" };
      if (code === "missing") missing.add(script.shell);
      else findings.push(...findingsIn(output, { script, failed: code !== "0" }));
    }
  }
  return { findings, missing: [...missing] };
}

interface ShellOutput {
  code: string;
  output: string;
}

async function ask(scripts: Script[], workspace: Workspace): Promise<ShellOutput[] | SyntaxResult> {
  const request = scripts.flatMap(({ path, shell, text }) => [
    shell,
    // Nothing is executed, so a script cannot turn on what it needs to be read.
    shell === "bash" && text.includes("extglob") ? "extglob" : "",
    path,
  ]);
  // No script that is only read can say it.
  const mark = randomUUID();
  const argv = ["sh", join(workspace.scripts, "check-shell.sh"), mark, ...request];
  const result = await workspace.run({ argv, outputBytes: OUTPUT_BYTES });
  if (result.status === "timed_out") return { status: "timed_out", errors: [] };
  const parts = result.stdout.split(`${mark} `).slice(1);
  if (result.status === "exited" && result.exitCode === 0 && parts.length === scripts.length) return parts.map(saidIn);
  const said = headAndTail(sanitize(result.stderr).trim(), MESSAGE_CHARS);
  if (result.status === "not_found" || result.exitCode === 127)
    return { status: "not_run", reason: "no_toolchain", detail: said || "sh is not available here", errors: [] };
  return { status: "crashed", detail: `the shell ended with ${result.signal ?? result.exitCode}: ${said}`, errors: [] };
}

function saidIn(part: string): ShellOutput {
  const end = part.indexOf("\n");
  return { code: part.slice(0, end), output: part.slice(end + 1) };
}

/** What a shell read to its end with a warning, it read otherwise than it was meant: a here-document without an end. */
function findingsIn(output: string, { script, failed }: { script: Script; failed: boolean }): Finding[] {
  const { path, shell } = script;
  const found: Finding[] = [];
  for (const line of output.split("\n")) {
    const at = line.startsWith(`./${path}:`)
      ? /^:\s*(?:line\s+)?(\d+):\s*([\s\S]*)$/.exec(line.slice(path.length + 2))
      : null;
    const message = at?.[2] ?? "";
    // bash shows the line itself as well.
    if (at === null || message.startsWith("`")) continue;
    const begins = /here-document at line (\d+)/.exec(message)?.[1];
    found.push({
      path,
      line: Number(begins ?? at[1]),
      message: headAndTail(sanitize(message), MESSAGE_CHARS),
      rule: "shell",
    });
  }
  if (found.length > 0 || !failed) return found.slice(0, FINDINGS_OF_A_FILE);
  const message = headAndTail(sanitize(output).trim(), MESSAGE_CHARS);
  return [{ path, message: message || `${shell} cannot read it`, rule: "shell" }];
}
