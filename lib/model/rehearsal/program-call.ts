/** The program of a scene: first as a draft that forgets a requirement, then as reflection completed it. Pure. */
import type { ModelRequest } from "../../core/ports.ts";
import type { Part, Scene, SceneCall } from "./scene.ts";

/** As prompts list the known requirements: one a line, its id first. */
const LISTED_ID = /^[^\w\n]*(R\d+(?:\.\d+)*)\b/gm;
const AT_MOST = /\bat most (\d+) (?:instructions?\b|are allowed)/gi;

export function programCall(scene: Scene, request: ModelRequest): SceneCall {
  const { knownIds, atMost, isReflection } = planningRequest(request);
  const ids = knownIds.length > 0 ? knownIds : scene.requirements.map(({ id }) => id);
  // Loops can take more steps than the program has instructions.
  const parts = scene.program && atMost === Number.POSITIVE_INFINITY ? scene.program : merged(scene.parts, atMost);
  const drafts = parts.map((part) => draftOf(part, isReflection));
  const instructions = drafts.map((draft) => ({
    ...draft,
    requirements: draft.requirements.filter((id) => ids.includes(id)),
  }));
  const served = new Set(scene.parts.flatMap((part) => part.requirements));
  const last = instructions.findLast((each) => !("kind" in each));
  if (isReflection) last?.requirements.push(...ids.filter((id) => !served.has(id)));
  return {
    tool: "write_program",
    arguments: knownIds.length > 0 ? { instructions } : { instructions, requirements: scene.requirements },
  };
}

interface PlanningRequest {
  /** The ids of requirements that are known already. Empty: the program names them. */
  knownIds: string[];
  atMost: number;
  isReflection: boolean;
}

function planningRequest({ messages }: ModelRequest): PlanningRequest {
  const answered = messages.findIndex((message) => message.role === "assistant");
  const opening = messages.slice(0, answered < 0 ? undefined : answered).filter((message) => message.role === "user");
  const incoming = messages.filter((message) => message.role !== "assistant" && message.role !== "system");
  const limits = incoming.flatMap((message) => captured(message.content, AT_MOST));
  return {
    knownIds: [...new Set(opening.flatMap((message) => captured(message.content, LISTED_ID)))],
    atMost: Math.max(1, Number(limits.at(-1) ?? Number.POSITIVE_INFINITY)),
    isReflection: answered >= 0,
  };
}

const captured = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), (match) => match[1] ?? "");

/** If the program must be shorter than the scene, its last instruction takes all the remaining parts. */
function merged(parts: Part[], atMost: number): Written[] {
  if (parts.length <= atMost) return parts;
  const rest = parts.slice(atMost - 1);
  const last = {
    title: rest[0]?.title ?? "",
    text: rest.map((part) => part.text).join("\n"),
    requirements: [...new Set(rest.flatMap((part) => part.requirements))],
  };
  return [...parts.slice(0, atMost - 1), last];
}

type Written = Pick<Part, "title" | "text" | "requirements" | "firstDraft">;

/** With the kind and its fields, if it has one. */
function draftOf({ firstDraft, ...part }: Written, isReflection: boolean): Omit<Written, "firstDraft"> {
  const { beats: _beats, repairs: _repairs, ...same } = part as Omit<Part, "firstDraft">;
  return { ...same, ...(isReflection ? undefined : firstDraft) };
}
