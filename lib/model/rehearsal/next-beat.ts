/** Chooses the next beat of a scene from the state of the conversation. Pure. */
import type { Conversation, Exchange } from "./conversation.ts";
import { shows } from "./findings.ts";
import { type Beat, callsOf, type Part, pathsWritten, type Scene, type ToolAnswer } from "./scene.ts";

const LOOK: Beat = {
  say: "First I look at which files are there.",
  calls: [{ tool: "list_files", arguments: {} }],
};
const CHECK: Beat = {
  say: "It was not accepted, and I do not see why: I run the checks again.",
  calls: [{ tool: "run_checks", arguments: {} }],
};

export function nextBeat(scene: Scene, conversation: Conversation): Beat {
  const { beats, repairs, pathsBefore } = stageOf(scene, conversation);
  const { opening, exchanges, offered } = conversation;
  const can = (beat: Beat) => callsOf(beat, offered).length > 0;
  const last = exchanges.at(-1);
  const answers = last?.answers ?? [openErrors(opening)];
  const seen = [opening, ...listings(exchanges)].join("\n");

  const repair = repairs.find((each) => shows(answers, each.sees) && !wasPlayed(each, conversation) && can(each));
  if (repair) return repair;
  if (!last && pathsBefore.length > 0 && !pathsBefore.some((path) => names(seen, path)) && can(LOOK)) return LOOK;

  const played = beats.findLastIndex((beat) => wasPlayed(beat, conversation));
  const written = lastWritten(beats, pathsBefore, seen);
  return beats.slice(Math.max(played, written) + 1).find(can) ?? repeated(beats, last, can);
}

interface Stage extends Pick<Part, "beats" | "repairs"> {
  /** What earlier instructions wrote. */
  pathsBefore: string[];
}

/** Instruction k plays part k. The last instruction of a shorter program plays all the remaining parts. */
function stageOf(scene: Scene, { number, total }: Conversation): Stage {
  if (number > scene.parts.length) return { beats: [nothingLeft(scene)], repairs: [], pathsBefore: [] };
  const parts = scene.parts.slice(number - 1, number === total ? undefined : number);
  return {
    beats: parts.flatMap((part, at) => (at < parts.length - 1 ? part.beats.slice(0, -1) : part.beats)),
    repairs: parts.flatMap((part) => part.repairs),
    pathsBefore: scene.parts.slice(0, number - 1).flatMap((part) => part.beats.flatMap(pathsWritten)),
  };
}

function nothingLeft(scene: Scene): Beat {
  const summary = `The rehearsed scene has ${scene.parts.length} parts; this instruction had nothing left to do.`;
  return {
    say: "The scene ends before this instruction: nothing is left to do.",
    calls: [{ tool: "complete_instruction", arguments: { summary } }],
  };
}

/** The open errors in the progress note of a fresh conversation. */
const openErrors = (opening: string): ToolAnswer => ({
  tool: "run_checks",
  text: /^Open errors:$([\s\S]*)/m.exec(opening)?.[1] ?? "",
});

/** In this conversation, or as the last thought that the note of a fresh one repeats. */
const wasPlayed = ({ say }: Beat, { opening, exchanges }: Conversation): boolean =>
  opening.includes(say) || exchanges.some((exchange) => exchange.text.includes(say));

const listings = (exchanges: Exchange[]): string[] =>
  exchanges.flatMap(({ answers }) => answers.filter(({ tool }) => tool === "list_files").map(({ text }) => text));

/** A fresh conversation lists what was written before: the last beat whose new files all exist was played. */
function lastWritten(beats: Beat[], pathsBefore: string[], seen: string): number {
  return beats.findLastIndex((beat) => {
    const fresh = pathsWritten(beat).filter((path) => !pathsBefore.includes(path));
    return fresh.length > 0 && fresh.every((path) => names(seen, path));
  });
}

/** The path itself, not the end or the beginning of a longer one. */
function names(text: string, path: string): boolean {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w/.-])${literal}(?![\\w/-]|\\.\\w)`).test(text);
}

/** No beat is left: complete and check in turn, until the control unit detects the loop. */
function repeated(beats: Beat[], last: Exchange | undefined, can: (beat: Beat) => boolean): Beat {
  const justTried = last?.calls.some((call) => call.name === "complete_instruction") ?? false;
  return justTried && can(CHECK) ? CHECK : (beats.at(-1) ?? CHECK);
}
