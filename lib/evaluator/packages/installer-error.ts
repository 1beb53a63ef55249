/** The error of an installer for a message: one line, without the credentials of an address. */
import { oneLine } from "../../core/text/cut.ts";
import type { CommandResult } from "../process/run-command.ts";

const CHARS = 300;

/** pip states the cause in its last line, npm in its first. */
export function installerError({ stderr, stdout }: CommandResult, end: "first" | "last" = "last"): string {
  const lines = (stderr.trim() || stdout.trim()).split("\n");
  return oneLine(withoutCredentials(lines.at(end === "first" ? 0 : -1) ?? ""), CHARS);
}

export const withoutCredentials = (text: string): string => text.replaceAll(/\/\/[^/\s@]+@/g, "//");
