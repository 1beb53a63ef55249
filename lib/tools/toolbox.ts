/** All tools. A new one is one file and one line here. */
import type { Tool } from "../core/workbench.ts";
import { completeInstruction } from "./complete-instruction.ts";
import { deleteFiles } from "./delete-files.ts";
import { editFile } from "./edit-file.ts";
import { listFiles } from "./list-files.ts";
import { readFiles } from "./read-files.ts";
import { runChecks } from "./run-checks.ts";
import { runCommand } from "./run-command.ts";
import { searchFiles } from "./search-files.ts";
import { writeFiles } from "./write-files.ts";
import { writeProgram } from "./write-program.ts";

export const allTools: Tool[] = [
  writeProgram,
  listFiles,
  readFiles,
  searchFiles,
  writeFiles,
  editFile,
  deleteFiles,
  runChecks,
  runCommand,
  completeInstruction,
];

export const planningTools: Tool[] = [writeProgram];

export const toolNamed = (name: string): Tool | undefined => allTools.find((tool) => tool.spec.name === name);

/** What the model is offered while it executes: all, or those named. An instruction can always be ended. */
export const executionTools = (enabled?: readonly string[]): Tool[] =>
  allTools.filter(
    (tool) =>
      !planningTools.includes(tool) &&
      (tool === completeInstruction || enabled === undefined || enabled.includes(tool.spec.name)),
  );
