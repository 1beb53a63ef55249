/** What a command is connected to: the runs of this computer, or those of an API elsewhere. */
import type { MakeBody } from "../../api/make-body.ts";
import type { SubmissionBody } from "../../api/submission-body.ts";
import type { Trees } from "../../client/attach-trees.ts";
import type { Fork, WayBack } from "../../client/changes.ts";
import type { Client } from "../../client/client.ts";
import type { FollowRequest, LocalClient } from "../../client/in-process.ts";
import type { RunPlace } from "../../core/run/ending-words.ts";
import type { Run } from "../../core/run/run.ts";
import type { RunBranch } from "../../core/run/run-branch.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import type { Settings } from "../settings/settings.ts";
import type { Destination } from "./destination.ts";
import { remoteAddress } from "./remote-address.ts";

export interface Connection extends Omit<Client, "submit" | "back" | "fork" | "make">, RunPlace {
  /** In words: `in /home/me/.l2mac`, `at https://…`. */
  where: string;
  /** Whether the run is in computation, or asleep in it until a server takes calls again. */
  isComputed(run: Run): boolean;
  /** Computes it again from its journal, on this computer; perhaps with other prompts than it had. */
  replay(run: Run, pack?: Parameters<LocalClient["replay"]>[1]): ReturnType<LocalClient["replay"]>;
  /** What the model was asked at these turns, built again on this computer: by their addresses. */
  requests(run: Run, wanted: Parameters<LocalClient["requests"]>[1]): ReturnType<LocalClient["requests"]>;
  /** Where its files went, or will go. */
  folder(run: Run): Promise<string | undefined>;
  /** The branch of this computer that gets them instead. */
  branch(run: Run): Promise<RunBranch | undefined>;
  /** The file that remembers what was delivered where. */
  record(run: Run): string;
  /** The folders of runs in this computer's home, for where its registry knows none. */
  leftFolders?: LocalClient["leftFolders"];
  close(): void;
}

/** A connection by which a command can begin runs and go on with them. */
export interface Computer extends Connection {
  submit(body: SubmissionBody, trees: Trees, destination: Destination): ReturnType<Client["submit"]>;
  /** `destination`: where the new run's files will go. */
  back(run: Run, way: WayBack, destination: Destination): Promise<Run>;
  fork(run: Run, fork: Fork, destination: Destination): Promise<Run>;
  make(run: Run, body: MakeBody, destination: Destination): Promise<Run>;
  /** For the line with which a run begins: where it is computed, and what holds there. */
  places(): string[] | Promise<string[]>;
  /** Until the run ends, waits, or the signal comes. `say`: gets what is announced meanwhile. */
  compute(run: Run, following: FollowRequest & { say: (line: string) => void }): Promise<Run>;
}

/** To read runs, or end them. Loads only what that takes. */
export async function connect({ flags }: Arguments, shell: Shell): Promise<Connection> {
  const address = await remoteAddress(flags, shell);
  if (address) return (await import("./remote-connection.ts")).connectTo(address, shell);
  return (await import("./local-connection.ts")).readHome(shell);
}

export async function openComputer({ flags }: Arguments, shell: Shell, settings: Settings): Promise<Computer> {
  const address = await remoteAddress(flags, shell);
  if (address) return (await import("./remote-connection.ts")).openRemoteComputer(address, shell, flags);
  return (await import("./local-connection.ts")).openLocalComputer(shell, settings, flags);
}
