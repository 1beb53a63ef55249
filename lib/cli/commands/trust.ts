/** `l2mac trust`: lets the settings of this folder's project count, and takes its runs for the user's own. */
import { UserError } from "../../core/errors.ts";
import { claimHome, whoseHome } from "../../host/home-owner.ts";
import type { Command } from "../command.ts";
import { homeOf, projectConfigPath, trustProject } from "../settings/settings.ts";

export const trust: Command = async (_given, shell) => {
  const lines = [...configLines(shell), ...homeLines(shell)];
  for (const line of lines) shell.out(`${line}\n`);
  if (lines.length === 0) shell.out("Nothing in this folder needs to be trusted.\n");
  return 0;
};

type Place = Parameters<typeof trustProject>[0];

function configLines(place: Place): string[] {
  const trusted = kept(() => trustProject(place));
  if (trusted === undefined) return [];
  return [`Trusted, until the file is changed: ${projectConfigPath(place.cwd)} sets ${trusted}.`];
}

function homeLines({ env, cwd }: Place): string[] {
  const place = { home: homeOf({ env, cwd }), env };
  if (whoseHome(place) !== "foreign") return [];
  kept(() => claimHome(place));
  return [`The runs in ${place.home} count as yours.`];
}

/** The user's word is kept in the user's own folder, or nowhere. */
function kept<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`This cannot be remembered: ${error instanceof Error ? error.message : String(error)}.`, {
      exitCode: 3,
      remedy:
        "Set XDG_CONFIG_HOME to a folder of yours that can be written; or set L2MAC_HOME, and give settings by flags.",
      cause: error,
    });
  }
}
