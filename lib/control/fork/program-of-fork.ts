/** The program that a fork goes on with: that of the other run, or another one from the fork on. */
import { UserError } from "../../core/errors.ts";
import { inWords } from "../../core/program/language/finding.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { keepsPlace } from "../../core/program/language/kept-place.ts";
import { errorsIn } from "../../core/program/language/lint/lint.ts";
import { placeText } from "../../core/program/language/step-title.ts";
import { type Draft, draftOf, type Requirement } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import { acceptDraft } from "../program/program-draft.ts";

/**
 * The program with other instructions after the first ones. A requirement that these serve stays as it is; of the
 * others, the new text counts.
 */
export function programAfter({ instructions, requirements }: Draft, kept: number, rest: Draft): Draft {
  if (rest.tree)
    throw refused("it has loops, conditions or checks, and only a list of instructions can follow those of a list.");
  const first = instructions.slice(0, kept);
  const all = joinRequirements({ instructions: first, requirements }, rest);
  return accepted({ instructions: [...first, ...rest.instructions], requirements: [] }, all);
}

interface ForkedPlace {
  /** Of the last inherited step. */
  frames: Frames;
  isOpen: boolean;
  /** The steps that are inherited. */
  steps: Pick<Draft, "instructions">;
}

/** A whole program that is the same up to a place inside: what was done there is neither done again nor left out. */
export function programFromPlace(before: Draft, { frames, isOpen, steps }: ForkedPlace, given: Draft): Draft {
  const place = placeText(frames);
  const here = frames.at(-1)?.at ?? 0;
  const kept = [...frames.slice(0, -1), { at: isOpen ? here : here + 1 }];
  const isSame = given.tree !== undefined && keepsPlace(programIn(before), programIn(given), kept);
  // The step that is open is asked as it was.
  const keepsOpen = isSame && (!isOpen || keepsPlace(programIn(before), programIn(given), next(kept)));
  if (!keepsOpen)
    throw refused(
      `the run is at ${place} of a program with loops, conditions or checks, and the new program is another one up to there. Give the whole program, and change only what comes after that place.`,
    );
  const all = joinRequirements({ ...steps, requirements: before.requirements }, given);
  return accepted({ ...given, requirements: [] }, all);
}

const next = (frames: Frames): Frames => [...frames.slice(0, -1), { at: (frames.at(-1)?.at ?? 0) + 1 }];

function joinRequirements({ instructions, requirements }: Draft, rest: Draft): Requirement[] {
  const served = new Set(instructions.flatMap((each) => each.requirements));
  const given = new Map(rest.requirements.map((each) => [each.id, each]));
  const clash = requirements.find(({ id, text }) => served.has(id) && (given.get(id)?.text ?? text) !== text);
  if (clash)
    throw refused(
      `Requirement ${clash.id} has another text in the program, and an instruction before the fork serves it.`,
    );
  return [
    ...requirements.map((each) => given.get(each.id) ?? each),
    ...rest.requirements.filter(({ id }) => !requirements.some((each) => each.id === id)),
  ];
}

function accepted(draft: Draft, requirements: Requirement[]): Draft {
  const decided = acceptDraft(draft, requirements, undefined);
  if ("problem" in decided) throw refused(decided.problem);
  const [problem] = errorsIn(programIn(decided.draft));
  if (problem) throw refused(inWords(problem));
  return draftOf(decided.draft);
}

const refused = (problem: string): UserError =>
  new UserError(`The program cannot follow the fork: ${problem}`, {
    exitCode: 2,
    remedy: "Change the program file, then fork again.",
    field: "program",
  });
