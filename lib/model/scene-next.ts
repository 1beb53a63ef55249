/** Which beat comes next: a pure choice from where the conversation stands. */
import { type Beat, callsOf, type Heard, type Part, pathsWritten, type Scene } from "./scene.ts";
import type { Exchange, Place } from "./scene-place.ts";
import { checks, complete, list } from "./scenes/calls.ts";

const LOOK: Beat = { say: "First I look at which files are there.", calls: [list()] };
const CHECK: Beat = { say: "It was not accepted, and I do not see why: I run the checks again.", calls: [checks()] };

export function nextBeat(scene: Scene, place: Place): Beat {
  const { beats, repairs, pathsBefore } = stageOf(scene, place);
  const can = (beat: Beat) => callsOf(beat, place.offered).length > 0;
  const last = place.exchanges.at(-1);
  const heard = last?.heard ?? [openErrors(place.opening)];
  const shown = [place.opening, ...listings(place.exchanges)].join("\n");

  const repair = repairs.find((each) => each.sees(heard) && !wasPlayed(each, place) && can(each));
  if (repair) return repair;
  if (!last && pathsBefore.length > 0 && !pathsBefore.some((path) => names(shown, path)) && can(LOOK)) return LOOK;

  const played = beats.findLastIndex((beat) => wasPlayed(beat, place));
  const written = lastWritten(beats, pathsBefore, shown);
  return beats.slice(Math.max(played, written) + 1).find(can) ?? onceMore(beats, last, can);
}

interface Stage {
  beats: Beat[];
  repairs: NonNullable<Part["repairs"]>;
  /** What earlier instructions wrote. */
  pathsBefore: string[];
}

/** Instruction k plays part k. A shorter program than the scene's plays all that is left in its last instruction. */
function stageOf(scene: Scene, { number, total }: Place): Stage {
  if (number > scene.parts.length) return { beats: [nothingLeft(scene)], repairs: [], pathsBefore: [] };
  const parts = scene.parts.slice(number - 1, number === total ? undefined : number);
  const beats = parts.flatMap((part, at) => (at < parts.length - 1 ? part.beats.slice(0, -1) : part.beats));
  return {
    beats,
    repairs: parts.flatMap((part) => part.repairs ?? []),
    pathsBefore: scene.parts.slice(0, number - 1).flatMap((part) => part.beats.flatMap(pathsWritten)),
  };
}

const nothingLeft = (scene: Scene): Beat => ({
  say: "The scene ends before this instruction: nothing is left to do.",
  calls: [complete(`The rehearsed scene has ${scene.parts.length} parts; this instruction had nothing left to do.`)],
});

/** What the note of a fresh conversation says of the checks. */
const openErrors = (opening: string): Heard => ({
  tool: "run_checks",
  text: /^Open errors:$([\s\S]*)/m.exec(opening)?.[1] ?? "",
});

/** In this conversation, or as the last thought that the note of a fresh one repeats. */
const wasPlayed = ({ say }: Beat, { opening, exchanges }: Place): boolean =>
  opening.includes(say) || exchanges.some((exchange) => exchange.text.includes(say));

const listings = (exchanges: Exchange[]): string[] =>
  exchanges.flatMap(({ heard }) => heard.filter((each: Heard) => each.tool === "list_files").map(({ text }) => text));

/** A fresh conversation shows what its predecessors wrote: the last beat whose new files are all there was played. */
function lastWritten(beats: Beat[], pathsBefore: string[], shown: string): number {
  return beats.findLastIndex((beat) => {
    const fresh = pathsWritten(beat).filter((path) => !pathsBefore.includes(path));
    return fresh.length > 0 && fresh.every((path) => names(shown, path));
  });
}

/** The path itself, not the end or the beginning of a longer one. */
function names(text: string, path: string): boolean {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w/.-])${literal}(?![\\w/-]|\\.\\w)`).test(text);
}

/** Out of beats: completing and checking in turn, until the machine sees the loop. */
function onceMore(beats: Beat[], last: Exchange | undefined, can: (beat: Beat) => boolean): Beat {
  const end = beats.at(-1) ?? CHECK;
  const justTried = last?.calls.some((call) => call.name === "complete_instruction") ?? false;
  return justTried && can(CHECK) ? CHECK : end;
}
