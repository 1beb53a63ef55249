/** What a `for_each` goes through. A list that comes from files is stored when the loop begins: its rounds share one list. */
import { callLabel } from "../../core/program/language/calls/label.ts";
import type { Items } from "../../core/program/language/condition.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { fill, isCall, parametersIn, type Scope, type Values } from "../../core/program/language/substitute.ts";
import type { Run } from "../../core/run/run.ts";
import { compileGlob } from "../../core/text/glob.ts";
import type { Json } from "../../core/text/json.ts";
import { isDeeper, valueAt } from "../../core/text/json-pointer.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { readRequired } from "../files/verified-read.ts";
import { ITEMS } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import type { World } from "../world.ts";
import { readTreeText } from "./tree-files.ts";

export type ItemList = { items: number; list?: string } | { problem: string };

/** `atMost`: a longer list is counted, and not stored. */
export async function storeItems(
  world: World,
  run: Run,
  { items, atMost }: { items: Items; atMost: number },
): Promise<ItemList> {
  if (Array.isArray(items)) return { items: items.length };
  const found = "glob" in items ? await pathsOf(world, run, items.glob) : await listIn(world, run, items);
  if ("problem" in found || found.list.length > atMost)
    return "problem" in found ? found : { items: found.list.length };
  const { bytes, hash } = bodyOf(ITEMS, { items: found.list });
  await world.files.putOnce(fileStoreKeys(run.id).items(hash), bytes);
  return { items: found.list.length, list: hash };
}

type FoundList = { list: Json[] } | { problem: string };

async function pathsOf({ registry }: World, { id }: Run, pattern: string): Promise<FoundList> {
  const glob = compileGlob(pattern);
  if ("problem" in glob) return { problem: glob.problem };
  const paths = (await registry.allFiles(id)).map(({ path }) => path).filter((path) => glob.matches(path));
  return { list: paths.sort() };
}

async function listIn(
  world: World,
  run: Run,
  { file, pointer }: { file: string; pointer?: string | undefined },
): Promise<FoundList> {
  const found = await readTreeText(world, run, file);
  if (found?.text === undefined) return { problem: `${file} ${found ? "is no text" : "is not there"}` };
  const { text } = found;
  if (pointer === undefined && !file.endsWith(".json")) {
    const list = linesOf(text);
    return list.some(({ length }) => length > ITEM_CHARS) ? { problem: `${file} has an item ${TOO_LARGE}` } : { list };
  }
  try {
    const value = valueAt(JSON.parse(text), pointer ?? "");
    if (!Array.isArray(value)) return { problem: `${file} has no list${pointer ? ` at ${pointer}` : ""}` };
    const isTooLarge = value.some((item) => isDeeper(item, ITEM_DEPTH) || JSON.stringify(item).length > ITEM_CHARS);
    return isTooLarge ? { problem: `${file} has an item ${TOO_LARGE}` } : { list: value };
  } catch {
    return { problem: `${file} is no JSON` };
  }
}

/** An item becomes part of titles, texts and paths. */
const ITEM_CHARS = 8_000;
const ITEM_DEPTH = 50;
const TOO_LARGE = `of more than ${ITEM_CHARS} characters, or with more than ${ITEM_DEPTH} levels`;

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** What names stand for at a place of a program. */
export interface PlaceValues {
  values: Values;
  /** The calls that it is in, as titles, outermost first. */
  calls: string[];
}

/** The item of each loop around a place by its name, and the parameters of the call that it is in. */
export async function valuesOf(
  { files }: Pick<World, "files">,
  { id }: Pick<Run, "id">,
  scopes: Scope[],
): Promise<PlaceValues> {
  let values: Values = new Map<string, Json>();
  const calls: string[] = [];
  for (const scope of scopes) {
    if (isCall(scope)) {
      const { title, program } = scope.node;
      calls.push(title === undefined ? callLabel(program) : fill(title, values));
      values = parametersIn(scope, values);
      continue;
    }
    const { node, round, list } = scope;
    const items = list === undefined ? literalItems(node.items, values) : await storedItems(files, id, list);
    const item = items[round - 1];
    if (item !== undefined) values = new Map([...values, [node.as, item]]);
  }
  return { values, calls };
}

const literalItems = (items: Items, values: Values): Json[] => (Array.isArray(items) ? fill(items, values) : []);

const storedItems = async (files: World["files"], runId: string, hash: string): Promise<Json[]> =>
  (await readBody(files, { key: fileStoreKeys(runId).items(hash), hash }, ITEMS)).items;

/** The stored lists of the loops around a place, for another run that begins there. */
export async function listsAt(files: World["files"], runId: string, frames: Frames): Promise<Map<string, Uint8Array>> {
  const hashes = frames.flatMap(({ list }) => list ?? []);
  const read = async (hash: string) => [hash, await readRequired(files, fileStoreKeys(runId).items(hash))] as const;
  return new Map(await Promise.all(hashes.map(read)));
}
