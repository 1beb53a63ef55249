/** What a conversation opens with, read once and journaled: a later request and a replay build the same text. */
import { DROPPED_TOKENS, NOTES_TOKENS, OUTLINE_TOKENS } from "../../core/limits.ts";
import { OUTLINE_BEFORE, OUTLINE_ROWS, outlineOf } from "../../core/program/outline.ts";
import type { Instruction } from "../../core/program/program.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { listingOf } from "../../core/turn/listing.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { RESUMED } from "../../core/turn/next-turn.ts";
import { progressNote } from "../../core/turn/note.ts";
import { shownNotes } from "../../core/turn/shown-notes.ts";
import type { TurnInputs } from "../../core/turn/turn.ts";
import { noteDropped } from "../lanes/dropped-work.ts";
import { stateEnvironment } from "./environment.ts";
import { listedFiles } from "./listed-files.ts";
import type { OpenStep } from "./open-step.ts";
import { amendmentsOf, exchangesOf } from "./step-state.ts";

type Opening = NonNullable<TurnInputs["opening"]>;

/** `fresh`: why a conversation begins that need not, from the turns alone. */
export async function openConversation(
  step: OpenStep,
  { why, fresh }: { why: string; fresh?: string | undefined },
): Promise<Opening> {
  const { world, state, unchecked, listing, revision } = step;
  const { instruction } = state;
  const { hint } = state.run;
  const exchanges = exchangesOf(state);
  const verdicts = state.entries.flatMap((entry) => entry.effects?.verdicts ?? []);
  const amendments = amendmentsOf(state);
  return {
    listing: listing ? await listing(await world.registry.allFiles(state.run.id)) : await listFiles(step),
    note: exchanges.length > 0 ? progressNote(exchanges, { why, verdicts, amendments }) : await noteOfLane(step),
    why,
    ...(unchecked ? { unchecked } : {}),
    ...(revision ? { revision } : {}),
    ...(hint === undefined ? {} : { hint, ...(fresh === RESUMED ? { countsAnew: true } : {}) }),
    ...(instruction ? await projectMemory(step, instruction) : {}),
    ...(needsThoughts(state.run.profile) ? { asksThoughts: true } : {}),
    ...stateEnvironment(step),
  };
}

async function listFiles({ world, state }: OpenStep): Promise<string> {
  const { entries, more } = await listedFiles(world.registry, state);
  const listing = listingOf(entries, state.run.profile.contextWindow);
  return more === 0 ? listing : `${listing}\nand ${more} more files; list_files and search_files find them`;
}

/** Models that reason take no temperature, and constrained calls have a field for thoughts. */
const needsThoughts = ({ temperature, convention }: ModelProfile): boolean => temperature && convention === "native";

/** Where the instruction is in the program, and what the project's notes say. */
async function projectMemory(step: OpenStep, instruction: Instruction): Promise<Pick<Opening, "outline" | "notes">> {
  const [outline, notes] = await Promise.all([readOutline(step, instruction), readNotes(step)]);
  return { ...(outline ? { outline } : {}), ...(notes ? { notes } : {}) };
}

async function readOutline({ world, state: { run } }: OpenStep, { number }: Instruction): Promise<string> {
  // The task and the instruction say all of a program of one instruction.
  if (run.instructions < 2) return "";
  const first = Math.max(1, number - OUTLINE_BEFORE);
  const rows = await world.registry.instructionsFrom(run.id, { first, limit: OUTLINE_ROWS });
  const tokens = shareOf(run.profile.contextWindow, OUTLINE_TOKENS);
  const outline = outlineOf(rows, { now: number, total: run.instructions, skipped: run.skipped ?? 0, tokens });
  return run.walk ? `${outline}\nWhat comes after depends on what is done by then.` : outline;
}

async function readNotes({ state: { tree, run }, document }: OpenStep): Promise<string> {
  const path = document.pack.declaration.notes;
  const bytes = path === undefined ? undefined : await tree.work.read(path);
  const text = bytes && decodeText(bytes);
  if (path === undefined || text === undefined) return "";
  return shownNotes(text, { path, tokens: shareOf(run.profile.contextWindow, NOTES_TOKENS) });
}

const noteOfLane = (step: OpenStep): Promise<string> =>
  noteDropped(step, shareOf(step.state.run.profile.contextWindow, DROPPED_TOKENS));

/** A sixteenth of a small window. */
const shareOf = (contextWindow: number, tokens: number): number => Math.min(tokens, Math.floor(contextWindow / 16));
