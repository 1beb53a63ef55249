/** Searches the turns and files of a run, one request after the other, and reports what it has found so far. */
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { findPassages, type Passage, type TurnBodies, textOfTurn } from "../find-text.ts";
import { turnPath } from "../route.ts";
import { ask, askBytes } from "./ask.ts";

export type SearchHit = ({ turn: TurnRecord } | { path: string }) & { passages: Passage[] };

export interface SearchState {
  hits: SearchHit[];
  done: number;
  of: number;
}

export interface SearchOptions {
  id: string;
  wanted: string;
  turns: TurnRecord[];
  paths: string[];
  onUpdate: (state: SearchState) => void;
  signal: AbortSignal;
}

/** More are no help to a person. */
const HITS = 100;
const PASSAGES = 5;
const BYTES = 1_048_576;

export async function searchRun({ id, wanted, turns, paths, onUpdate, signal }: SearchOptions): Promise<void> {
  const hits: SearchHit[] = [];
  const of = turns.length + paths.length;
  const searches = [
    ...paths.map((path) => async () => ({ path, text: await textOfFile(id, path, signal) })),
    ...turns.map((turn) => async () => ({ turn, text: await turnText(id, turn, signal) })),
  ];
  for (const [done, search] of searches.entries()) {
    if (signal.aborted || hits.length >= HITS) break;
    // What cannot be read now is not found; the rest is.
    const found = await search().catch(() => undefined);
    if (signal.aborted) return;
    const passages = found ? findPassages(found.text, wanted, PASSAGES) : [];
    if (found && passages.length > 0) hits.push({ ...found, passages });
    onUpdate({ hits: [...hits], done: done + 1, of });
  }
  onUpdate({ hits, done: of, of });
}

async function turnText(id: string, turn: TurnRecord, signal: AbortSignal): Promise<string> {
  return textOfTurn(await ask<TurnBodies>(turnPath(id, turn), { signal }));
}

async function textOfFile(id: string, path: string, signal: AbortSignal): Promise<string> {
  const bytes = await askBytes(`/runs/${id}/file?${new URLSearchParams({ path })}`, { signal, most: BYTES });
  return bytes.includes(0) ? "" : new TextDecoder().decode(bytes);
}
