/** Opens the machine of this computer for a command. */
import type { Run } from "../../core/run/run.ts";
import { hasRegistry } from "../../host/home.ts";
import { LOCAL_OWNER } from "../../local/machine.ts";
import { type LocalMachine, type LocalParts, openLocalMachine } from "../../local/open.ts";
import type { Shell } from "../display/shell.ts";
import { homeOf } from "../settings/settings.ts";
import { readableWebhookIn, webhookIn } from "../settings/webhook.ts";
import type { Listing } from "./runs.ts";

/** What died without a word is noted first, so that every command tells the truth. */
export async function openHere(shell: Shell, server: Partial<LocalParts> = {}): Promise<LocalMachine> {
  const webhook = "webhook" in server ? server.webhook : webhookIn(shell);
  const machine = openLocalMachine({ home: homeOf(shell), env: shell.env, ...server, webhook });
  if ((await machine.sweep()) === "no room")
    shell.say(noRoomLine(machine.home, shell.command("delete", "<run>", "--yes")));
  return machine;
}

const noRoomLine = (home: string, removal: string): string =>
  `The disk of ${home} is full: whether runs died meanwhile could not be noted. Room is made by: ${removal}`;

/** Looking makes no folders: where there is no registry, there are no runs. */
export const openExisting = async (shell: Shell): Promise<LocalMachine | undefined> =>
  hasRegistry(homeOf(shell)) ? openHere(shell, { webhook: readableWebhookIn(shell) }) : undefined;

const PAGE = 500;

export async function runsOf({ registry }: LocalMachine, asked: Listing = {}): Promise<Run[]> {
  const { atMost = Number.POSITIVE_INFINITY, unreadable } = asked;
  const runs: Run[] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = Math.min(PAGE, atMost - runs.length);
    const page = await registry.runs({ owner: LOCAL_OWNER, limit, ...(cursor === undefined ? {} : { cursor }) });
    runs.push(...page.runs);
    if (page.unreadable) unreadable?.(page.unreadable);
    cursor = page.cursor;
    if (cursor === undefined || runs.length >= atMost) return runs;
  }
}
