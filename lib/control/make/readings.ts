/** What a step was shown of the files, taken down when it was shown, and looked at again on another tree. */
import type { StepReading, TurnReading } from "../../core/step/step-record.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { Sight, WorkFiles } from "../../core/turn/workbench.ts";
import type { Registry } from "../../registry/registry.ts";
import { findLines } from "../../tools/search-files.ts";
import { sha256 } from "../files/digest.ts";

/** `own`: all that the step has changed so far; of that, `ofTurn` in this turn. */
export interface Changed {
  own: ReadonlySet<string>;
  ofTurn: string[];
}

export interface RunFiles {
  registry: Pick<Registry, "file">;
  runId: string;
}

/** Files that the step changed itself are no readings: what it found there is with its changes. */
export async function readingsOf(sight: Sight, { own, ofTurn }: Changed, files: RunFiles): Promise<TurnReading[]> {
  if (sight.kind === "files") {
    const paths = sight.paths.filter((path) => !own.has(path));
    return Promise.all(
      paths.map(async (path) => ({ kind: "file" as const, path, sha256: await storedHash(files, path) })),
    );
  }
  if (sight.kind === "list") {
    const { files: listed, ...range } = sight;
    return [{ ...range, own: ofTurn, hash: listHash(listed, own), shown: shownHash(listed, own) }];
  }
  const { hits, pattern, glob } = sight;
  return [{ kind: "search", pattern, ...(glob ? { glob } : {}), own: ofTurn, hash: searchHash(hits, own) }];
}

/** Null: there is no file of just this name. */
export async function storedHash({ registry, runId }: RunFiles, path: string): Promise<string | null> {
  const found = await registry.file(runId, foldPath(path));
  return found?.path === path ? found.sha256 : null;
}

type Listed = Extract<Sight, { kind: "list" }>["files"];

const listHash = (listed: Listed, own: ReadonlySet<string>): string =>
  sha256(JSON.stringify(listed.flatMap(({ path }) => (own.has(path) ? [] : [path]))));

/** Of the paths that every prompt of a step lists, shown or counted. */
export function listedHash(before: ReadonlyMap<string, unknown>, touched: readonly string[]): string {
  const own = new Set(touched);
  return sha256(JSON.stringify([...before.keys()].filter((path) => !own.has(path)).sort()));
}

/** Which instruction wrote a file is not in it: a lane sees its base as one. */
const shownHash = (listed: Listed, own: ReadonlySet<string>): string =>
  sha256(JSON.stringify(listed.flatMap(({ path, bytes, lines }) => (own.has(path) ? [] : [[path, bytes, lines]]))));

type Hits = Extract<Sight, { kind: "search" }>["hits"];

const searchHash = (hits: Hits, own: ReadonlySet<string>): string =>
  sha256(JSON.stringify(hits.filter(({ path }) => !own.has(path)).map(({ path, line, text }) => [path, line, text])));

/** The same reading on the files as they are now. `work`: as tools see them. */
export async function readAgain(
  reading: StepReading,
  { touched, files, work }: { touched: string[]; files: RunFiles; work: WorkFiles },
): Promise<StepReading> {
  if (reading.kind === "file") return { ...reading, sha256: await storedHash(files, reading.path) };
  const own = new Set(touched.slice(0, reading.own));
  if (reading.kind === "list") {
    const { prefix, after, limit } = reading;
    const found = await work.list({
      ...(prefix === undefined ? {} : { prefix }),
      ...(after === undefined ? {} : { after }),
      limit,
    });
    const shown = reading.shown === undefined ? {} : { shown: shownHash(found, own) };
    return { ...reading, hash: listHash(found, own), ...shown };
  }
  const found = await findLines(reading, work);
  return { ...reading, hash: "refused" in found ? "" : searchHash(found.hits, own) };
}

/** A list is its paths, and with `comparesSizes` all that was shown of each file. */
export function isSameReading(one: StepReading, other: StepReading, comparesSizes: boolean): boolean {
  const compared = (reading: StepReading) => (comparesSizes ? reading : { ...reading, shown: undefined });
  return JSON.stringify(compared(one)) === JSON.stringify(compared(other));
}
