/** Which scene a conversation belongs to, read from the conversation itself. */
import type { ModelRequest } from "../core/ports.ts";
import type { Scene } from "./scene.ts";
import { placeOf } from "./scene-place.ts";
import { sceneFor, scenes } from "./scenes.ts";

const TASK = /^# Task\n([\s\S]*?)\n# /m;
const OF_A_BOOK = /\bbook\b/i;

/** While it executes, an instruction's title tells; else the task does, and last the domain's system prompt. */
export function sceneOf(request: ModelRequest): Scene {
  const title = placeOf(request)?.title;
  const titled = scenes.find((scene) => scene.parts.some((part) => part.title === title));
  if (titled) return titled;
  const [system, user] = (["system", "user"] as const).map(
    (role) => request.messages.find((message) => message.role === role)?.content ?? "",
  );
  const task = TASK.exec(user ?? "")?.[1] ?? user ?? "";
  return sceneFor(task, OF_A_BOOK.test(system ?? "") ? "book" : undefined);
}
