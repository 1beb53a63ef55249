/** The instructions whose results another one uses. */
import type { Frames } from "../../core/program/language/frames.ts";
import { isAtPlace, type NeededPlace, neededPlaces, orderTo } from "../../core/program/language/needed-places.ts";
import type { Program } from "../../core/program/language/schema.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Registry } from "../../registry/registry.ts";

const READ_AT_ONCE = 50;

type Needing = Pick<Instruction, "number" | "needs" | "frames">;

/** In the order in which it names them; without `needs`, the one before. `program`: of a run that walks through one. */
export async function neededBy(
  registry: Pick<Registry, "instruction" | "instructionsFrom">,
  runId: string,
  { step: { number, needs, frames }, program }: { step: Needing; program?: Program | undefined },
): Promise<Instruction[]> {
  const stepAt = readSteps(registry, runId);
  const previous = !needs && number > 1 ? await registry.instruction(runId, number - 1) : undefined;
  const before = previous && (previous.frames ?? (program && (await framesUpTo(stepAt, number - 2))));
  const places = program && frames && neededPlaces(program, { frames, needs, previous: before });
  if (places) return different(await Promise.all(places.map((place) => lastAt(stepAt, number - 1, place))));
  if (!needs) return previous ? [previous] : [];
  const found = new Map<string, Instruction>();
  for (let at = number - 1; at >= 1 && found.size < needs.length; at -= 1) {
    const each = await stepAt(at);
    if (each?.id !== undefined && needs.includes(each.id) && !found.has(each.id)) found.set(each.id, each);
  }
  return needs.flatMap((id) => found.get(id) ?? []);
}

type StepAt = (number: number) => Promise<Instruction | undefined>;

/** Reads pages, each once. */
function readSteps(registry: Pick<Registry, "instructionsFrom">, runId: string): StepAt {
  const pages = new Map<number, Promise<Instruction[]>>();
  return async (number) => {
    if (number < 1) return undefined;
    const first = number - ((number - 1) % READ_AT_ONCE);
    const page = pages.get(first) ?? registry.instructionsFrom(runId, { first, limit: READ_AT_ONCE });
    pages.set(first, page);
    return (await page).find((each) => each.number === number);
  };
}

/** Steps are executed in the order of their places, so that a search by halves finds it. */
async function lastAt(stepAt: StepAt, most: number, place: NeededPlace): Promise<Instruction | undefined> {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const frames = await framesUpTo(stepAt, middle);
    if (!frames || orderTo(frames, place) <= 0) low = middle;
    else high = middle - 1;
  }
  for (let at = low; at >= 1; at -= 1) {
    const step = await stepAt(at);
    const frames = await framesUpTo(stepAt, at);
    if (!frames || orderTo(frames, place) < 0) return undefined;
    if (isAtPlace(frames, place)) return step;
  }
  return undefined;
}

/** Of runs of earlier versions, the parts of a split step have none: it had those of the step before, or later ones. */
async function framesUpTo(stepAt: StepAt, number: number): Promise<Frames | undefined> {
  for (let at = number; at >= 1; at -= 1) {
    const step = await stepAt(at);
    if (step?.frames) return step.frames;
  }
  return undefined;
}

/** A group and an instruction in it may have the same last step. */
const different = (steps: (Instruction | undefined)[]): Instruction[] => [
  ...new Set(steps.filter((step) => step !== undefined)),
];
