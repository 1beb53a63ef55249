/** One file as it was at the chosen turn: whole, or compared with what it was elsewhere in the run. */

import type { RunView } from "../../api/answers.ts";
import type { RunHistory, RunSnapshot } from "../../core/run/history.ts";
import { size } from "../../core/text/format.ts";
import { reveal } from "../../core/text/sanitize.ts";
import type { ToldTurn } from "../../core/turn/turn.ts";
import { askBytes, Refused, TooLarge } from "../browser/ask.ts";
import { save } from "../browser/save.ts";
import { type Answered, useAnswer } from "../browser/use-answer.ts";
import type { Go, RunPlace } from "../place.ts";
import { sidesOf } from "../sides.ts";
import { atOf, nameOf } from "../turn-words.ts";
import { ComparedWith } from "./compared-with.tsx";
import { Diff } from "./diff.tsx";
import { Late } from "./late.tsx";
import { Whole } from "./whole-file.tsx";

interface Given {
  run: RunView;
  turns: ToldTurn[];
  /** The place of the chosen turn among them. */
  chosen: number;
  history: RunHistory;
  snapshot: RunSnapshot;
  place: RunPlace;
  path: string;
  go: Go;
}

export type Content =
  | { text: string; bytes: Uint8Array<ArrayBuffer> }
  | { none: string; bytes?: Uint8Array<ArrayBuffer> };

/** More is not even asked for: it is saved, and never opened here. */
const HUGE = 8 * 1_048_576;

export function FileView({ run, turns, chosen, history, snapshot, place, path, go }: Given) {
  const last = snapshot.lastChange(path);
  const change = last?.changes.find((each) => each.path === path);
  const isHuge = (change?.bytes ?? 0) > HUGE;
  const { against, line } = place;
  const sides = against === undefined || isHuge ? undefined : sidesOf({ turns, chosen, against, last });
  const file = { id: run.id, path, turns, history };
  const text = useFile(file, sides || isHuge ? undefined : chosen);
  const old = useFile(file, sides?.[0].index);
  const now = useFile(file, sides?.[1].index);
  const bytes = text && "bytes" in text ? text.bytes : undefined;
  return (
    <article>
      <div class="file-head">
        <h2>
          <bdi>{reveal(path)}</bdi>
        </h2>
        <button type="button" onClick={() => void saveFile({ id: run.id, path, at: atIndex(file, chosen), bytes })}>
          Save{change && change.sha256 !== null ? ` (${size(change.bytes)})` : ""}
        </button>
        <p class="quiet">
          {last
            ? `${change?.sha256 === null ? "Removed" : "Last changed"} in ${nameOf(last)}.`
            : snapshot.has(path)
              ? "It came with the task."
              : ""}
        </p>
        <ComparedWith history={history} path={path} last={last} place={place} go={go} />
      </div>
      {sides && <p class="small quiet">{sides.map(({ says }) => says).join(" → ")}</p>}
      {isHuge ? (
        <p class="quiet">{TOO_LARGE}</p>
      ) : sides && old && now ? (
        <Diff path={path} old={old} now={now} />
      ) : sides || !text ? (
        <Late what="Opening" />
      ) : (
        <Whole path={path} content={text} {...(line === undefined ? {} : { line })} />
      )}
    </article>
  );
}

const TOO_LARGE = "It is too large to be shown: save it.";
const ABSENT = "It is not there at this turn.";

interface FileOf {
  id: string;
  path: string;
  turns: readonly ToldTurn[];
  history: RunHistory;
}

/** How it was after the turn at this index; undefined: nobody wants it. */
function useFile(file: FileOf, index: number | undefined): Content | undefined {
  const { id, path, history } = file;
  // What is known not to be there is not asked for.
  const isAbsent = index !== undefined && !history.at(index).has(path);
  const query = index === undefined || isAbsent ? undefined : pathOf(id, path, atIndex(file, index));
  const answered = useAnswer(query, (signal) => askBytes(query ?? "", { signal, most: HUGE }));
  return isAbsent ? { none: ABSENT } : contentOf(answered);
}

/** What stands between its last change and a turn left it as it was. */
function atIndex({ path, turns, history }: FileOf, index: number): string {
  const turn = history.at(index).lastChange(path) ?? turns[index];
  return turn ? atOf(turn) : "0";
}

const pathOf = (id: string, path: string, at: string): string =>
  `/runs/${id}/file?${new URLSearchParams({ path, at })}`;

/** What cannot be shown as text is not: a browser saves it. */
function contentOf(answered: Answered<Uint8Array<ArrayBuffer>>): Content | undefined {
  if (!answered) return undefined;
  if ("problem" in answered) {
    const isAbsent = answered.error instanceof Refused && answered.error.status === 404;
    const isTooLarge = answered.error instanceof TooLarge;
    return { none: isAbsent ? ABSENT : isTooLarge ? TOO_LARGE : answered.problem };
  }
  const bytes = answered.value;
  if (bytes.includes(0)) return { none: NO_TEXT, bytes };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), bytes };
  } catch {
    return { none: NO_TEXT, bytes };
  }
}

const NO_TEXT = "It is no text: save it to look into it.";

interface Saving {
  id: string;
  path: string;
  at: string;
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

async function saveFile({ id, path, at, bytes }: Saving): Promise<void> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  save(name, bytes ?? (await askBytes(pathOf(id, path, at))));
}
