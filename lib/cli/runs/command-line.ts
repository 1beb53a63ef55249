/** A command line that begins a run, with the settings that hold for it. */
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import type { Settings } from "../settings/settings.ts";

export interface CommandLine {
  given: Arguments;
  shell: Shell;
  settings: Settings;
}
