/** Where runs are, on this computer or in a deployed stack: all that the commands need to know of it. */

import type { Draft, Instruction } from "../../core/program/program.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import type { DayAccount } from "../../core/run/daily.ts";
import type { Event } from "../../core/run/event.ts";
import type { Budget } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import type { ToldTurn } from "../../core/turn/turn.ts";
import type { ToldAmendment } from "../../core/verdict/amendment.ts";
import type { Replayed } from "../../local/replay.ts";
import type { Arguments } from "../command.ts";

export interface Runs {
  /** In words: `in /home/me/.l2mac`, `at https://…`. */
  where: string;
  /** What the next command needs to find them again: `--remote`, or nothing. */
  remoteFlag: readonly string[];
  /** Whether they are computed elsewhere, and go on without this command. */
  elsewhere: boolean;
  /** Latest first. */
  list(asked?: Listing): Promise<Run[]>;
  run(id: string): Promise<Run | undefined>;
  isComputed(run: Run): boolean;
  /** How today stands, where all runs together have a ceiling for it. */
  day(run: Run): Promise<DayAccount | undefined>;
  /** The next events, waiting a while for some where that is asked for. `over`: nothing comes after them. */
  events(id: string, asked: { after: number; wait: boolean }): Promise<{ events: Event[]; over: boolean }>;
  /** In the order in which they were made. */
  turns(run: Run): Promise<ToldTurn[]>;
  /** As instruction `at` left them, or as they are. */
  files(run: Run, at?: number): Promise<{ path: string; bytes: number }[]>;
  file(run: Run, path: string, at?: number): Promise<Uint8Array | undefined>;
  /** What it delivers now: at its end all, before it what is accepted. Or as instruction `at` left it. */
  output(run: Run, at?: number): Promise<Map<string, Uint8Array>>;
  /** As it stands: while it waits for approval, the one that would be executed. */
  program(run: Run): Promise<Draft>;
  /** The instructions of the program, with what became of each. */
  instructions(run: Run): Promise<Instruction[]>;
  /** Locked tests that it changed with a reason. */
  amendments(run: Run): Promise<ToldAmendment[]>;
  reject(run: Run): Promise<Run>;
  /** Answers the run as it stands then. */
  cancel(run: Run): Promise<Run>;
  /** Removes all of it. `deleting`: what is left goes later. */
  remove(run: Run): Promise<"deleted" | "deleting">;
  /** Computes it again from its journal, on this computer; perhaps with other prompts than it had. */
  replay(run: Run, pack?: PromptPack): Promise<Replayed>;
  /** Where its files went, or will go. */
  folder(run: Run): Promise<string | undefined>;
  /** The file that remembers what was delivered where. */
  record(run: Run): string;
  /** The folders of runs in this computer's home, for where its registry tells of none. */
  leftFolders?(): { folder: string; runs: number };
  close(): void;
}

export interface Listing {
  /** Perhaps only those whose id or name holds it. */
  like?: string;
  atMost?: number;
  /** Told of runs that another version of l2mac wrote. */
  unreadable?: (ids: string[]) => void;
}

export interface Showing {
  /** Events up to this one are known already. */
  after: number;
  show: (events: Event[]) => void;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Runs that this command can begin and go on with. */
export interface Computer extends Runs {
  /** Submits what the command line says, or says what is wrong with it. */
  submit(given: Arguments): Promise<{ run: Run; folder: string | undefined }>;
  /** The line with which a run begins. */
  announcement(run: Run): string;
  resume(run: Run, ceilings: Budget): Promise<Run>;
  /** Has the program executed that waits, or this one in its place. */
  approve(run: Run, program?: Draft): Promise<Run>;
  /** Until the run stands still, or the signal comes. */
  compute(run: Run, showing: Showing): Promise<Run>;
}

/** Shows the events of a run until nothing comes any more; `now`: until there are none at the moment. */
export async function showEvents(
  runs: Pick<Runs, "events">,
  id: string,
  asked: { after: number; until: "over" | "now"; show: (events: Event[]) => void; stopped?: () => boolean },
): Promise<void> {
  const { after, until, show, stopped = () => false } = asked;
  for (let last = after; ; ) {
    const told = await runs.events(id, { after: last, wait: until === "over" });
    const events = told.events.filter(({ seq }) => seq > last);
    if (events.length > 0) show(events);
    last = events.at(-1)?.seq ?? last;
    if (told.over || stopped() || (until === "now" && events.length === 0)) return;
  }
}
