/** Where programs are found by name: in the home of the runs, then in the user's own folder. */
import { join, resolve } from "node:path";
import { type HomePlace, whoseHome } from "../../host/home-owner.ts";
import { userFolder } from "../../host/user-folder.ts";

/** A home that came along with the folder gives no programs, unless the user named it. */
export function programFolders({ home, env }: HomePlace): string[] {
  const isOwn = env.L2MAC_HOME || whoseHome({ home, env }) !== "foreign";
  return [...(isOwn ? [resolve(home)] : []), userFolder(env)].map((folder) => join(folder, "programs"));
}
