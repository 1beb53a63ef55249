/** The names and categories of the tools in lib/tools/toolbox.ts: `npm run reference` writes this file. Pure. */
export const TOOLS = {
  write_program: "plan",
  list_files: "read",
  read_files: "read",
  search_files: "read",
  write_files: "write",
  edit_file: "write",
  move_files: "write",
  delete_files: "delete",
  run_checks: "check",
  run_command: "run",
  amend_test: "amend",
  prove: "check",
  complete_instruction: "end",
} as const;
