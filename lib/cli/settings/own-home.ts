/** The home of a command's runs: named by the user, or that of this folder, where it is the user's own. */
import { UserError } from "../../core/errors.ts";
import { makeOwnHome, whoseHome } from "../../host/home-owner.ts";
import { homeOf, type Layers } from "./settings.ts";

type Place = Pick<Layers, "env" | "cwd">;

/** To read runs: nothing is made. A home that L2MAC_HOME names is the user's choice. */
export function ownHome(place: Place): string {
  const home = homeOf(place);
  if (place.env.L2MAC_HOME || whoseHome({ home, env: place.env }) !== "foreign") return home;
  throw new UserError(
    `The runs in ${home} do not have your mark: another user or computer made them, or an older version. What comes with a folder could name servers and files of others, so nothing there was opened.`,
    {
      exitCode: 3,
      remedy: {
        command: "trust",
        args: [],
        note: "if they are yours; else delete the folder, or set L2MAC_HOME to another one",
      },
    },
  );
}

/** To add to it. */
export function madeHome({ env, cwd }: Place): string {
  const home = ownHome({ env, cwd });
  makeOwnHome({ home, env });
  return home;
}
