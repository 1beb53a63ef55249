/** One file as it was at the chosen turn: whole, or compared with what it was elsewhere in the run. */
import type { RunView } from "../../api/answers.ts";
import type { ToldTurn } from "../../core/turn.ts";
import { askBytes, Refused, TooLarge } from "../browser/ask.ts";
import { save } from "../browser/save.ts";
import { type Answered, useAnswer } from "../browser/use-answer.ts";
import type { Go, RunPlace } from "../place.ts";
import { atOf, nameOf, type Then, type Timeline } from "../timeline.ts";
import { visible } from "../visible.ts";
import { size } from "../words.ts";
import { ComparedWith } from "./compared-with.tsx";
import { Diff } from "./diff.tsx";
import { Late } from "./late.tsx";
import { Whole } from "./whole-file.tsx";

interface Given {
  run: RunView;
  turn: ToldTurn | undefined;
  timeline: Timeline;
  then: Then;
  place: RunPlace;
  path: string;
  go: Go;
}

export type Content =
  | { text: string; bytes: Uint8Array<ArrayBuffer> }
  | { none: string; bytes?: Uint8Array<ArrayBuffer> };

/** More is not even asked for: it is saved, and never opened here. */
const HUGE = 8 * 1_048_576;

export function FileView({ run, turn, timeline, then, place, path, go }: Given) {
  const last = then.lastChange(path);
  const change = last?.changes.find((each) => each.path === path);
  // What stands between its last change and the chosen turn left it as it was.
  const at = last ? atOf(last) : turn && atOf(turn);
  const isHuge = (change?.bytes ?? 0) > HUGE;
  const { against } = place;
  const text = useFile(run.id, path, isHuge ? undefined : (at ?? "0"));
  const old = useFile(run.id, path, against === undefined || isHuge ? undefined : placeOfOld(against, last, timeline));
  const bytes = text && "bytes" in text ? text.bytes : undefined;
  return (
    <article>
      <div class="file-head">
        <h2>
          <bdi>{visible(path)}</bdi>
        </h2>
        <button type="button" onClick={() => void saveFile({ id: run.id, path, at, bytes })}>
          Save{change && change.sha256 !== null ? ` (${size(change.bytes)})` : ""}
        </button>
        <p class="quiet">
          {last
            ? `${change?.sha256 === null ? "Removed" : "Last changed"} in ${nameOf(last)}.`
            : "It came with the task."}
        </p>
        <ComparedWith timeline={timeline} path={path} last={last} place={place} go={go} />
      </div>
      {isHuge ? (
        <p class="quiet">{TOO_LARGE}</p>
      ) : !text || (against !== undefined && !old) ? (
        <Late what="Opening" />
      ) : against !== undefined && old ? (
        <Diff path={path} old={old} now={text} />
      ) : (
        <Whole path={path} content={text} {...(place.line === undefined ? {} : { line: place.line })} />
      )}
    </article>
  );
}

function placeOfOld(against: string, last: ToldTurn | undefined, timeline: Timeline): string {
  if (against !== "last") return against;
  const before = last && timeline.before(last);
  return before ? atOf(before) : "0";
}

const TOO_LARGE = "It is too large to be shown: save it.";
const ABSENT = "It is not there at this turn.";

function useFile(id: string, path: string, at: string | undefined): Content | undefined {
  const query = at && pathOf(id, path, at);
  const answered = useAnswer(query, (signal) => askBytes(query ?? "", { signal, most: HUGE }));
  return contentOf(answered);
}

const pathOf = (id: string, path: string, at: string | undefined): string =>
  `/runs/${id}/file?${new URLSearchParams({ path, ...(at === undefined ? {} : { at }) })}`;

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
  at: string | undefined;
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

async function saveFile({ id, path, at, bytes }: Saving): Promise<void> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  save(name, bytes ?? (await askBytes(pathOf(id, path, at))));
}
