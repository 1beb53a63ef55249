/** The tools that a model can be offered, and what each does. Adding one: a row here, and its file in the toolbox. Pure. */

export type ToolCategory = "plan" | "read" | "write" | "delete" | "check" | "run" | "amend" | "end";

/** In the order in which they are offered. */
const TOOLS = {
  write_program: "plan",
  list_files: "read",
  read_files: "read",
  search_files: "read",
  write_files: "write",
  edit_file: "write",
  delete_files: "delete",
  run_checks: "check",
  run_command: "run",
  amend_test: "amend",
  complete_instruction: "end",
} as const satisfies Record<string, ToolCategory>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as [ToolName, ...ToolName[]];
export const isToolName = (name: string): name is ToolName => Object.hasOwn(TOOLS, name);

/** Undefined: there is no such tool, or not in this version. */
export const categoryOf = (name: string): ToolCategory | undefined => (isToolName(name) ? TOOLS[name] : undefined);

/** Those that can be offered while a program is executed. */
export const EXECUTION_TOOL_NAMES = TOOL_NAMES.filter((name) => TOOLS[name] !== "plan");
