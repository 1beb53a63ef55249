/** All tools. Adding one: a file, and a line here. */
import type { ToolCategory } from "../core/turn/tool-category.ts";
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

const withCategory = (...categories: ToolCategory[]): Tool[] =>
  allTools.filter(({ category }) => categories.includes(category));
const namesOf = (tools: Tool[]): string[] => tools.map(({ spec }) => spec.name);

export const planningTools: Tool[] = withCategory("plan");

/** Tools that execute what the model wrote. */
export const runningTools: string[] = namesOf(withCategory("run"));

/** Which tools an instruction offers. */
export interface Offer {
  /** The names that the user or the pack lists; absent: all. */
  enabled?: readonly string[] | undefined;
  /** Whether tests run: accepted tests are locked, and a locked test can be amended. */
  tested?: boolean;
}

/** What the model is offered in an instruction: it can always end it, and amend tests if it can change files. */
export const executionTools = ({ enabled, tested = false }: Offer = {}): Tool[] =>
  allTools.filter((tool) => {
    if (tool.category === "plan") return false;
    if (tool.category === "amend") return tested && CHANGING.some((each) => isEnabled(each, enabled));
    return tool.category === "end" || isEnabled(tool, enabled);
  });

const CHANGING: Tool[] = withCategory("write", "delete", "amend");

const isEnabled = ({ spec }: Tool, enabled: Offer["enabled"]): boolean =>
  enabled === undefined || enabled.includes(spec.name);
