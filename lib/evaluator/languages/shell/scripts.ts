/** Finds the shell scripts among files, and which shell each is written for. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { MiB } from "../../../core/limits.ts";

export interface Script {
  path: string;
  shell: Shell;
  /** Every byte a character: what a script holds need not be UTF-8. */
  text: string;
}

export type Shell = "bash" | "sh" | "dash" | "ksh" | "zsh";

/** A script beyond this is no script that anybody wrote. */
const SCRIPT_BYTES = 1 * MiB;
const FIRST_LINE = 200;

/** `isNamed`: its name says that it is a script; the first line must, where the name does not. */
export async function findScripts(
  folder: string,
  paths: string[],
  isNamed: (path: string) => boolean,
): Promise<Script[]> {
  const scripts: Script[] = [];
  for (const path of paths) {
    const file = await open(join(folder, path));
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(FIRST_LINE), position: 0 });
      const beginning = buffer.toString("latin1", 0, bytesRead);
      const shell = shellOf(beginning) ?? (isNamed(path) && !beginning.startsWith("#!") ? "bash" : undefined);
      if (shell === undefined || (await file.stat()).size > SCRIPT_BYTES) continue;
      scripts.push({ path, shell, text: await file.readFile("latin1") });
    } finally {
      await file.close();
    }
  }
  return scripts;
}

function shellOf(beginning: string): Shell | undefined {
  const [line = ""] = beginning.split("\n");
  const name = /^#!\s*\S*?(?:\/env\s+(?:-\S+\s+)*(?:\S*\/)?|\/)(\w+)(?:\s|$)/.exec(line)?.[1];
  return SHELLS.find((shell) => shell === (name === "ash" ? "sh" : name));
}

const SHELLS: Shell[] = ["bash", "sh", "dash", "ksh", "zsh"];
