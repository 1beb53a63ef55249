/** The file of each tool in `core/turn/tools.ts`. The compiler names those that are missing. */
import { categoryOf, TOOL_NAMES, type ToolCategory, type ToolName } from "../core/turn/tools.ts";
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

const toolbox: Record<ToolName, Tool> = {
  write_program: writeProgram,
  list_files: listFiles,
  read_files: readFiles,
  search_files: searchFiles,
  write_files: writeFiles,
  edit_file: editFile,
  delete_files: deleteFiles,
  run_checks: runChecks,
  run_command: runCommand,
  amend_test: amendTest,
  complete_instruction: completeInstruction,
};

export const allTools: Tool[] = TOOL_NAMES.map((name) => toolbox[name]);

const categoryOfTool = ({ spec }: Tool): ToolCategory | undefined => categoryOf(spec.name);

export const planningTools: Tool[] = allTools.filter((tool) => categoryOfTool(tool) === "plan");

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
    const category = categoryOfTool(tool);
    if (category === "plan") return false;
    if (category === "amend") return tested && CHANGING.some((each) => isEnabled(each, enabled));
    return category === "end" || isEnabled(tool, enabled);
  });

const CHANGING: Tool[] = allTools.filter((tool) => /^(write|delete|amend)$/.test(categoryOfTool(tool) ?? ""));

const isEnabled = ({ spec }: Tool, enabled: Offer["enabled"]): boolean =>
  enabled === undefined || enabled.includes(spec.name);
