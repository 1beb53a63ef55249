/** What a tool does, as far as the control unit and the displays need to know. Pure. */
import * as z from "zod";

export const ToolCategory = z.enum(["plan", "read", "write", "delete", "check", "run", "amend", "end"]);
export type ToolCategory = z.infer<typeof ToolCategory>;

/** For records of older versions, which store no category. Tools that are new need no line here. */
const UNRECORDED: Readonly<Record<string, ToolCategory>> = {
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
};

/** Undefined: the call named no tool. */
export const categoryOf = (name: string, recorded: ToolCategory | undefined): ToolCategory | undefined =>
  recorded ?? UNRECORDED[name];
