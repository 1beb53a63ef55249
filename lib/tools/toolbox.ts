/** All tools. A new one is one file and one line here. */
import type { Tool } from "../core/turn/workbench.ts";
import { amendTest } from "./amend-test.ts";
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
  amendTest,
  completeInstruction,
];

export const planningTools: Tool[] = [writeProgram];

export const toolNamed = (name: string): Tool | undefined => allTools.find((tool) => tool.spec.name === name);

/** Which of the tools an instruction offers. */
export interface Offer {
  /** Those that the user or the pack names; absent: all. */
  enabled?: readonly string[] | undefined;
  /** Whether tests are run. They are locked once they were accepted, and what is locked can always be amended. */
  tested?: boolean;
}

/** What the model is offered while it executes. An instruction can always be ended, and what can be changed can be amended. */
export const executionTools = ({ enabled, tested = false }: Offer = {}): Tool[] =>
  allTools.filter((tool) => {
    if (planningTools.includes(tool)) return false;
    if (tool === amendTest) return tested && [...CHANGING, amendTest].some((each) => isEnabled(each, enabled));
    return tool === completeInstruction || isEnabled(tool, enabled);
  });

const CHANGING: Tool[] = [writeFiles, editFile, deleteFiles];

const isEnabled = ({ spec }: Tool, enabled: Offer["enabled"]): boolean =>
  enabled === undefined || enabled.includes(spec.name);
