/** Reads exercises of a practice track from a checkout of its repository. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import type { Files } from "../../suite.ts";

export interface Exercise {
  /** Of the track, such as `python`. */
  language: string;
  name: string;
  instructions: string;
  /** What a solution starts from. */
  stub: Files;
  /** The tests, and what they need. */
  tests: Files;
  /** The track's own solution. */
  example: Files;
}

const Track = z.object({ slug: z.string() });
const Config = z.object({
  files: z.object({
    solution: z.array(z.string()).min(1),
    test: z.array(z.string()),
    example: z.array(z.string()).default([]),
    editor: z.array(z.string()).default([]),
  }),
});

const PRACTICE = "exercises/practice";
const INSTRUCTIONS = ["introduction", "instructions", "instructions.append"];

/** Of a folder that is a checkout, or has checkouts. Those that lack something are left out. */
export function readTracks(folder: string): Exercise[] {
  const folders = [folder, ...readdirSync(folder, { withFileTypes: true }).map(({ name }) => join(folder, name))];
  return folders.filter((each) => existsSync(join(each, PRACTICE))).flatMap(readTrack);
}

function readTrack(folder: string): Exercise[] {
  const { slug } = Track.parse(JSON.parse(readFileSync(join(folder, "config.json"), "utf8")));
  const names = readdirSync(join(folder, PRACTICE)).sort();
  return names.flatMap((name) => readExercise(join(folder, PRACTICE, name), slug) ?? []);
}

function readExercise(folder: string, language: string): Exercise | undefined {
  const about = join(folder, ".meta/config.json");
  if (!existsSync(about)) return undefined;
  const { files } = Config.parse(JSON.parse(readFileSync(about, "utf8")));
  const read = (paths: string[]): Files =>
    Object.fromEntries(paths.filter((path) => isFile(join(folder, path))).map((path) => [path, textOf(folder, path)]));
  const stub = read(files.solution);
  const tests = read([...files.test, ...files.editor]);
  const example = exampleIn(folder, files.solution, files.example);
  if (Object.keys(tests).length === 0 || Object.keys(example).length === 0) return undefined;
  const paths = INSTRUCTIONS.map((part) => `.docs/${part}.md`);
  const instructions = Object.values(read(paths)).join("\n").trim();
  return { language, name: basename(folder), instructions, stub, tests, example };
}

const textOf = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** Under the names of the solution: by its ending, or beside it where a track keeps a folder of examples. */
function exampleIn(folder: string, solution: string[], example: string[]): Files {
  const found: Record<string, string> = {};
  const [first = ""] = solution;
  const place = first.slice(0, first.lastIndexOf("/") + 1);
  for (const path of example.filter((each) => isFile(join(folder, each)))) {
    const like = solution.filter((each) => endingOf(each) === endingOf(path));
    const own = like.find((each) => basename(each) === basename(path));
    const isOnly = like.length === 1 && example.filter((each) => endingOf(each) === endingOf(path)).length === 1;
    found[own ?? (isOnly ? (like[0] ?? first) : `${place}${basename(path)}`)] = textOf(folder, path);
  }
  return found;
}

const endingOf = (path: string): string => path.slice(path.lastIndexOf("."));
