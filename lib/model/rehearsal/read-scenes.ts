/** Reads the scenes below a folder and finds the one that fits a task. Adding a scene: a folder and its name in `scenes.json`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { ModelRequest } from "../../core/ports.ts";
import type { Domain } from "../../core/run/options.ts";
import { conversationOf } from "./conversation.ts";
import {
  type Beat,
  type Scene,
  type SceneCall,
  type StoredBeat,
  type StoredCall,
  StoredScene,
  type WrittenFile,
} from "./scene.ts";

const cache = new Map<string, Scene[]>();

/** In the order in which they are tried; the last one is the default. */
export function readScenes(folder: string): Scene[] {
  const scenes = cache.get(folder) ?? namesIn(folder).map((name) => readScene(join(folder, name)));
  cache.set(folder, scenes);
  return scenes;
}

const parseFile = <T>(schema: z.ZodType<T>, path: string): T => schema.parse(JSON.parse(readFileSync(path, "utf8")));

const namesIn = (folder: string): string[] => parseFile(z.array(z.string()).min(1), join(folder, "scenes.json"));

function readScene(folder: string): Scene {
  const stored = parseFile(StoredScene, join(folder, "scene.json"));
  const readBeat = ({ say, calls, instead }: StoredBeat): Beat => ({
    say,
    calls: calls.map(readCall),
    ...(instead ? { instead: instead.map(readCall) } : {}),
  });
  const readCall = (call: StoredCall): SceneCall =>
    isWriting(call) ? { tool: call.tool, arguments: { files: call.arguments.files.map(readFile) } } : call;
  const readFile = (file: WrittenFile) => {
    const { path, changed } = typeof file === "string" ? { path: file, changed: [] } : file;
    const text = readFileSync(join(folder, "files", path), "utf8");
    return { path, content: changed.reduce((rest, { find, replace }) => rest.replace(find, () => replace), text) };
  };
  const items = stored.requirements.map((text, at) => `${at + 1}. ${text}`);
  return {
    ...stored,
    task: [stored.task, "", ...items].join("\n"),
    requirements: stored.requirements.map((text, at) => ({ id: `R${at + 1}`, text })),
    parts: stored.parts.map((part) => ({
      ...part,
      beats: part.beats.map(readBeat),
      repairs: part.repairs.map((repair) => ({ ...readBeat(repair), sees: repair.sees })),
    })),
  };
}

type WriteCall = Extract<StoredCall, { tool: "write_files" }>;
const isWriting = (call: StoredCall): call is WriteCall => call.tool === "write_files";

/**
 * Every task has a scene: one whose words it contains, else one of its domain, else the default. In the domain `custom`,
 * which runs no tests, it is one of text.
 */
export function sceneFor(scenes: Scene[], task: string, domain?: Domain): Scene {
  const ofText = scenes.filter((scene) => scene.domain === "book");
  const found =
    (domain === "custom" ? ofText : scenes).find((scene) => new RegExp(scene.matches, "i").test(task)) ??
    (domain === "book" || domain === "custom" ? ofText[0] : undefined) ??
    scenes.at(-1);
  if (!found) throw new Error("There is no scene to rehearse.");
  return found;
}

const TASK = /^# Task\n([\s\S]*?)\n# /m;
const OF_A_BOOK = /\bbook\b/i;
const OF_TEXTS = /\b(?:folder of|delivered as) text files\b/i;

/** The domain that a system prompt speaks of, as far as scenes differ by it. */
export const domainSpoken = (system: string): Domain | undefined =>
  OF_A_BOOK.test(system) ? "book" : OF_TEXTS.test(system) ? "custom" : undefined;

/** The scene of a conversation: by the instruction's title, else by the task, else by the domain's system prompt. */
export function sceneOf(scenes: Scene[], request: ModelRequest): Scene {
  const title = conversationOf(request)?.title;
  const titled = scenes.find((scene) => scene.parts.some((part) => part.title === title));
  if (titled) return titled;
  const [system = "", user = ""] = (["system", "user"] as const).map(
    (role) => request.messages.find((message) => message.role === role)?.content,
  );
  return sceneFor(scenes, TASK.exec(user)?.[1] ?? user, domainSpoken(system));
}
