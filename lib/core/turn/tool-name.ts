/** The names of the tools, for those who check a list of names without running one. */

export const TOOL_NAMES = [
  "write_program",
  "list_files",
  "read_files",
  "search_files",
  "write_files",
  "edit_file",
  "delete_files",
  "run_checks",
  "run_command",
  "amend_test",
  "complete_instruction",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export const isToolName = (name: string): name is ToolName => (TOOL_NAMES as readonly string[]).includes(name);
