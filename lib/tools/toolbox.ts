/** All tools, in the order in which they are offered. Adding one: its file, its name here, then `npm run reference`. */
import type { Tool } from "../core/turn/workbench.ts";
import { amendTest } from "./amend-test.ts";
import { completeInstruction } from "./complete-instruction.ts";
import { deleteFiles } from "./delete-files.ts";
import { editFile } from "./edit-file.ts";
import { listFiles } from "./list-files.ts";
import { moveFiles } from "./move-files.ts";
import { prove } from "./prove.ts";
import { readFiles } from "./read-files.ts";
import { runChecks } from "./run-checks.ts";
import { runCommand } from "./run-command.ts";
import { searchFiles } from "./search-files.ts";
import { writeFiles } from "./write-files.ts";
import { writeProgram } from "./write-program.ts";

// biome-ignore format: a row for each tool.
export const allTools: Tool[] = [
  writeProgram,
  listFiles,
  readFiles,
  searchFiles,
  writeFiles,
  editFile,
  moveFiles,
  deleteFiles,
  runChecks,
  runCommand,
  amendTest,
  prove,
  completeInstruction,
];

/** Where files exist, a planner can read them. */
export const planningTools = ({ hasFiles = false } = {}): Tool[] =>
  allTools.filter(({ category }) => category === "plan" || (hasFiles && category === "read"));

/** The examiner looks, writes checks and declares them. It runs no code but its tests, as there is none. */
export const examinerTools = (): Tool[] =>
  allTools.filter(({ category }) => /^(?:read|write|delete|check|end)$/.test(category));

/** Which tools an instruction offers. */
export interface Offer {
  /** The names that the user or the pack lists; absent: all. */
  enabled?: readonly string[] | undefined;
  /** Whether tests run: accepted tests are locked, and a locked test can be amended. */
  tested?: boolean;
  /** Whether the run asks for evidence of its requirements: then it can be gathered, whatever is listed. */
  proves?: boolean;
}

/** What the model is offered in an instruction: it can always end it, and amend tests if it can change files. */
export function executionTools({ enabled, tested = false, proves = false }: Offer = {}): Tool[] {
  const isEnabled = ({ spec }: Tool): boolean => enabled === undefined || enabled.includes(spec.name);
  const canChange = allTools.some((tool) => /^(write|delete|amend)$/.test(tool.category) && isEnabled(tool));
  return allTools.filter((tool) => {
    if (tool.category === "plan") return false;
    if (tool === prove) return proves;
    if (tool.category === "amend") return tested && canChange;
    return tool.category === "end" || isEnabled(tool);
  });
}
