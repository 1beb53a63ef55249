/** The form in which a rehearsed run is written: a scene has parts (one an instruction), a part has beats (one a turn). */

import type { Requirement } from "../core/program/program.ts";
import type { Domain } from "../core/run/run.ts";
import type { Json } from "../core/text/json.ts";

export interface SceneCall {
  tool: string;
  arguments: { [name: string]: Json };
}

/** One answer of the model. */
export interface Beat {
  /** Said before the calls. No two beats of a scene say the same: by this text a later turn knows what was played. */
  say: string;
  calls: SceneCall[];
  /** Played in place of `calls` where one of their tools is not offered. */
  instead?: SceneCall[];
}

/** What a tool answered. */
export interface Heard {
  tool: string;
  text: string;
}

/** Played once, out of turn, as soon as the last answers show what it puts right. */
export interface Repair extends Beat {
  sees(heard: Heard[]): boolean;
}

export interface Part {
  title: string;
  /** Names no path: a path in the opening of a conversation means that the file is there. */
  text: string;
  requirements: string[];
  /** How the first draft of the program has this part, before reflection finds what it forgot. */
  firstDraft?: { text: string; requirements: string[] };
  /** The last beat completes the instruction. */
  beats: Beat[];
  repairs?: Repair[];
}

export interface Scene {
  name: string;
  domain: Domain;
  /** A task that asks for exactly what the scene delivers, its requirements as numbered items. */
  task: string;
  matches(task: string): boolean;
  requirements: Requirement[];
  parts: Part[];
}

/** What the beat calls, where only these tools are offered. Empty: the beat cannot be played. */
export function callsOf(beat: Beat, offered: ReadonlySet<string>): SceneCall[] {
  const wanted = beat.calls.every((call) => offered.has(call.tool)) ? beat.calls : (beat.instead ?? beat.calls);
  return wanted.filter((call) => offered.has(call.tool));
}

/** The paths that the beat writes as whole files. */
export function pathsWritten(beat: Beat): string[] {
  return beat.calls.flatMap((call) => {
    const files = call.tool === "write_files" ? call.arguments.files : undefined;
    return Array.isArray(files) ? files.flatMap((file) => pathOf(file)) : [];
  });
}

function pathOf(file: Json): string[] {
  const path = typeof file === "object" && file !== null && !Array.isArray(file) ? file.path : undefined;
  return typeof path === "string" ? [path] : [];
}
