/** The program of a scene, as a rehearsed model writes it: once as a first draft, then as reflection left it. */
import type { ModelRequest } from "../core/ports.ts";
import type { Part, Scene, SceneCall } from "./scene.ts";

/** As prompts list what is known: one a line, its id first. */
const LISTED_ID = /^\W*(R\d+(?:\.\d+)*)\b/gm;
const AT_MOST = /\bat most (\d+) (?:instructions?\b|are allowed)/gi;

export function programCall(scene: Scene, request: ModelRequest): SceneCall {
  const asked = askedFor(request);
  const ids = asked.ids.length > 0 ? asked.ids : scene.requirements.map(({ id }) => id);
  const drafts = merged(scene.parts, asked.atMost).map((part) => draftOf(part, asked.reflects));
  const instructions = drafts.map((draft) => ({
    ...draft,
    requirements: draft.requirements.filter((id) => ids.includes(id)),
  }));
  const covered = new Set(scene.parts.flatMap((part) => part.requirements));
  if (asked.reflects) instructions.at(-1)?.requirements.push(...ids.filter((id) => !covered.has(id)));
  return {
    tool: "write_program",
    arguments: asked.ids.length > 0 ? { instructions } : { instructions, requirements: requirementsOf(scene) },
  };
}

interface Asked {
  /** The ids under which the task's requirements are known already. Empty: the program names them. */
  ids: string[];
  atMost: number;
  reflects: boolean;
}

function askedFor({ messages }: ModelRequest): Asked {
  const answered = messages.findIndex((message) => message.role === "assistant");
  const opening = messages.slice(0, answered < 0 ? undefined : answered).filter((message) => message.role === "user");
  const said = messages.filter((message) => message.role !== "assistant" && message.role !== "system");
  const limits = said.flatMap((message) => captured(message.content, AT_MOST));
  return {
    ids: [...new Set(opening.flatMap((message) => captured(message.content, LISTED_ID)))],
    atMost: Math.max(1, Number(limits.at(-1) ?? Number.POSITIVE_INFINITY)),
    reflects: answered >= 0,
  };
}

const captured = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), (match) => match[1] ?? "");

/** The last instruction of a program that may not be longer takes all that is left. */
function merged(parts: Part[], atMost: number): Part[] {
  if (parts.length <= atMost) return parts;
  const rest = parts.slice(atMost - 1);
  const last: Part = {
    title: rest[0]?.title ?? "",
    text: rest.map((part) => part.text).join("\n"),
    requirements: [...new Set(rest.flatMap((part) => part.requirements))],
    beats: [],
  };
  return [...parts.slice(0, atMost - 1), last];
}

function draftOf(part: Part, reflects: boolean) {
  const { text, requirements } = (reflects ? undefined : part.firstDraft) ?? part;
  return { title: part.title, text, requirements };
}

const requirementsOf = (scene: Scene) => scene.requirements.map(({ id, text }) => ({ id, text }));
