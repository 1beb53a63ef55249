/** Plays an entry of the gallery with the real command, and makes its files of what the command says. */
import { existsSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { aBench, type Ended } from "../doubles/command.ts";
import { projectRoot } from "../house-rules.ts";
import type { Entry } from "./entries.ts";
import { withoutAccidents } from "./without-accidents.ts";

/** Text by name. */
export async function makeEntry(entry: Entry): Promise<Record<string, string>> {
  const { name, task, flags } = entry;
  const bench = aBench();
  // As a reader plays it: evidence is asked for where there are tests.
  delete bench.env.L2MAC_EVIDENCE;
  try {
    symlinkSync(join(projectRoot, "rehearsals"), join(bench.folder, "rehearsals"));
    const asked = ["run", task, "--rehearse", "--name", name, ...flags];
    const planned = await bench.run([...asked, "--approve", "plan"]);
    expectCode(planned, WAITING);
    const played = await bench.run(["approve"]);
    expectCode(played, 0);
    const transcript = withoutAccidents(`${untilProgram(planned.stderr)}${played.stderr}`, bench.folder);
    const files = filesBelow(join(bench.folder, "workspace", name));
    return {
      "README.md": readme(entry, { transcript, files }),
      "program.md": planned.stdout,
      "transcript.txt": transcript,
    };
  } finally {
    bench.remove();
  }
}

/** Without what it says of waiting for approval. */
const untilProgram = (text: string): string => text.replace(/^(program: [^\n]*\n)[\s\S]*/m, "$1");

const WAITING = 9;
function expectCode({ code, stderr }: Ended, wanted: number): void {
  if (code !== wanted) throw new Error(`It ended with ${code}, not ${wanted}:\n${stderr}`);
}

/** Zips hold times; the others are text. */
const filesBelow = (folder: string): string[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true })
        .map(String)
        .filter((path) => statSync(join(folder, path)).isFile())
        .toSorted();

function readme(entry: Entry, { transcript, files }: { transcript: string; files: string[] }): string {
  const { name, title, scene, task, flags } = entry;
  const lines = transcript.split("\n");
  const said = (start: string): string => lines.find((line) => line.startsWith(start)) ?? "";
  const quoted = flags.map((flag) => (/^[\w./-]+$/.test(flag) ? flag : `"${flag}"`));
  return [
    `# ${title}`,
    "**A rehearsal.** The scene was written beforehand; no model was asked, and nothing was paid. The machine around it is the real one: planning, tools, checks, gate, delivery. It shows what a run looks like, not how good a model is.",
    "In a clone, this plays it again:",
    `\`\`\`sh\n${["npx l2mac run", `"${task}"`, "--rehearse", "--name", name, ...quoted].join(" ")}\n\`\`\``,
    "How it ended:",
    `\`\`\`\n${[said("Completed"), said("Kept:"), said("Cost:")].join("\n")}\n\`\`\``,
    [
      "- [The program](program.md): the instructions that were executed.",
      "- [The transcript](transcript.txt): every turn and verdict, without times, tokens and ids. `npx l2mac report` makes a page of the run, with pictures.",
      `- What is written is in the scene: [rehearsals/${scene}](../../../rehearsals/${scene}).`,
    ].join("\n"),
    "Delivered files:",
    files.map((path) => `- \`${path}\``).join("\n"),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}
