/** The format of a rehearsal: a scene has parts (one per instruction), a part has beats (one per turn). Pure. */
import * as z from "zod";
import { Domain } from "../../core/run/options.ts";

const Edit = z.strictObject({ find: z.string(), replace: z.string() });

/** A path below `files/`. `changed`: what differs from that file where the beat writes an earlier version of it. */
const WrittenFile = z.union([z.string(), z.strictObject({ path: z.string(), changed: z.array(Edit) })]);
export type WrittenFile = z.infer<typeof WrittenFile>;

const StoredCall = z.union([
  z.strictObject({ tool: z.literal("write_files"), arguments: z.strictObject({ files: z.array(WrittenFile) }) }),
  z.strictObject({
    tool: z.string().refine((name) => name !== "write_files"),
    arguments: z.record(z.string(), z.json()).default({}),
  }),
]);
export type StoredCall = z.infer<typeof StoredCall>;

/** One answer of the model. No two beats of a scene have the same text: a later turn recognises a beat by it. */
const StoredBeat = z.strictObject({
  say: z.string(),
  calls: z.array(StoredCall),
  /** Played in place of `calls` if one of their tools is not offered. */
  instead: z.array(StoredCall).optional(),
});
export type StoredBeat = z.infer<typeof StoredBeat>;

const Symptom = z.union([z.strictObject({ syntaxErrorIn: z.string() }), z.strictObject({ testFails: z.string() })]);
export type Symptom = z.infer<typeof Symptom>;

const StoredPart = z.strictObject({
  title: z.string(),
  /** Names no path: a path in the first message of a conversation means that the file exists. */
  text: z.string(),
  requirements: z.array(z.string()),
  /** This part in the first draft of the program, before reflection finds what is missing. */
  firstDraft: z.strictObject({ text: z.string(), requirements: z.array(z.string()) }).optional(),
  /** The last beat completes the instruction. */
  beats: z.array(StoredBeat),
  /** Played once, out of turn, as soon as the last answers show the symptom. */
  repairs: z.array(StoredBeat.extend({ sees: Symptom })).default([]),
});

/** An instruction of a program with other kinds than `do`, as `write_program` takes it. */
const StoredInstruction = z.looseObject({
  title: z.string(),
  text: z.string(),
  requirements: z.array(z.string()),
  firstDraft: StoredPart.shape.firstDraft,
});

/** `scene.json` */
export const StoredScene = z.strictObject({
  name: z.string(),
  domain: Domain,
  /** The scene whose result this one changes: it is played with `--from`. Absent: it begins with nothing. */
  startsFrom: z.string().optional(),
  /** A task with one of these words plays this scene: a regular expression, in any case. */
  matches: z.string(),
  /** The first line of the scene's own task; its requirements follow as numbered items. */
  task: z.string(),
  requirements: z.array(z.string()),
  /** What the planner writes. Absent: the parts as a list. Otherwise the parts are the steps that the program takes. */
  program: z.array(StoredInstruction).optional(),
  parts: z.array(StoredPart),
});
export type StoredScene = z.infer<typeof StoredScene>;

export interface SceneCall {
  tool: string;
  arguments: { [name: string]: z.core.util.JSONType };
}

export interface Beat {
  say: string;
  calls: SceneCall[];
  instead?: SceneCall[];
}

export interface Repair extends Beat {
  sees: Symptom;
}

export interface Part extends Pick<z.infer<typeof StoredPart>, "title" | "text" | "requirements" | "firstDraft"> {
  beats: Beat[];
  repairs: Repair[];
}

/** With the text of its files. */
export interface Scene extends Pick<StoredScene, "name" | "domain" | "startsFrom" | "matches" | "task" | "program"> {
  requirements: { id: string; text: string }[];
  parts: Part[];
}

/** What a tool answered. */
export interface ToolAnswer {
  tool: string;
  text: string;
}

/** What the beat calls if only these tools are offered. Empty: the beat cannot be played. */
export function callsOf(beat: Beat, offered: ReadonlySet<string>): SceneCall[] {
  const wanted = beat.calls.every((call) => offered.has(call.tool)) ? beat.calls : (beat.instead ?? beat.calls);
  return wanted.filter((call) => offered.has(call.tool));
}

/** The paths that the beat writes as whole files. */
export function pathsWritten(beat: Beat): string[] {
  return beat.calls.flatMap((call) => {
    const files = call.tool === "write_files" ? call.arguments.files : undefined;
    return Array.isArray(files) ? files.flatMap(pathOf) : [];
  });
}

function pathOf(file: z.core.util.JSONType): string[] {
  const path = typeof file === "object" && file !== null && !Array.isArray(file) ? file.path : undefined;
  return typeof path === "string" ? [path] : [];
}
