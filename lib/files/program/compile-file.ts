/** Compiles a program's file into the text of a state machine. A program with errors is refused, with their places. */
import { createHash } from "node:crypto";
import { UserError } from "../../core/errors.ts";
import { compileMachine } from "../../core/program/machine/compile-machine.ts";
import { writeMachine } from "../../core/program/machine/write-machine.ts";
import { readControlUnit } from "../control-unit.ts";
import { readProgramFile } from "../program-file.ts";

export interface CompiledFile {
  text: string;
  states: number;
  notices: string[];
}

/** `limit`: of the text, in bytes. */
export function compileFile(path: string, folders: readonly string[], limit?: number): CompiledFile {
  const { draft, notices } = readProgramFile(path, folders);
  const machine = compileMachine(draft, { controlUnit: readControlUnit(), sha256 });
  const written = writeMachine(machine, limit);
  if ("problem" in written) {
    throw new UserError(`${path}: ${written.problem}. Nothing was written.`, {
      exitCode: 2,
      remedy: "Move instructions into a loop, or execute the program without compiling it: the result is the same.",
    });
  }
  return { text: written.text, states: Object.keys(machine.States).length, notices };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
