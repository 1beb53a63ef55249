/** One file at the chosen turn: whole, or compared with another turn. */
import type { RunView } from "../../../lib/api/answers.ts";
import type { RunHistory, RunSnapshot } from "../../../lib/core/run/history.ts";
import { size } from "../../../lib/core/text/format.ts";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import { isOfRun } from "../../../lib/core/turn/lane-turns.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { askBytes, Refused, TooLarge } from "../browser/ask.ts";
import { save } from "../browser/save.ts";
import { type AnswerState, useAnswer } from "../browser/use-answer.ts";
import { comparePoints } from "../compare-points.ts";
import type { Navigate, RunRoute } from "../route.ts";
import { atOf, nameOf } from "../turn-summary.ts";
import { BlamedFile } from "./blamed-file.tsx";
import { Whole } from "./code.tsx";
import { ComparedWith } from "./compared-with.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Diff } from "./diff.tsx";
import { Loading } from "./waiting.tsx";

interface FileViewProps {
  run: RunView;
  turns: TurnRecord[];
  /** The index of the chosen turn. */
  chosen: number;
  history: RunHistory;
  snapshot: RunSnapshot;
  route: RunRoute;
  path: string;
  navigate: Navigate;
}

export type Content =
  | { text: string; bytes: Uint8Array<ArrayBuffer> }
  | { none: string; bytes?: Uint8Array<ArrayBuffer> };

/** Larger files are not requested: they can only be saved. */
const HUGE = 8 * 1_048_576;

export function FileView({ run, turns, chosen, history, snapshot, route, path, navigate }: FileViewProps) {
  const last = lastInLane({ turns, path, chosen }) ?? snapshot.lastChange(path);
  const change = last?.changes.find((each) => each.path === path);
  const isHuge = (change?.bytes ?? 0) > HUGE;
  const { against, line } = route;
  const points = against === undefined || isHuge ? undefined : comparePoints({ turns, chosen, against, last });
  const file = { id: run.id, path, turns, history };
  const text = useFile(file, points || isHuge ? undefined : chosen);
  const old = useFile(file, points?.[0].index);
  const now = useFile(file, points?.[1].index);
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
        {text && "text" in text && <CopyButton text={text.text} label="Copy the file" />}
        <p class="quiet">
          {last
            ? `${change?.sha256 === null ? "Removed" : "Last changed"} in ${nameOf(last)}.`
            : snapshot.has(path)
              ? "It came with the task."
              : ""}
        </p>
        <ComparedWith history={history} path={path} last={last} route={route} navigate={navigate} />
      </div>
      {points && <p class="small quiet">{points.map(({ label }) => label).join(" → ")}</p>}
      {isHuge ? (
        <p class="quiet">{TOO_LARGE}</p>
      ) : points && old && now ? (
        <Diff path={path} old={old} now={now} />
      ) : points || !text ? (
        <Loading what="Loading" />
      ) : "none" in text ? (
        <p class="quiet">{text.none}</p>
      ) : laneTurnAt({ turns }, chosen) ? (
        <Whole path={path} text={text.text} {...(line === undefined ? {} : { line })} />
      ) : (
        <BlamedFile {...{ id: run.id, path, text: text.text, line, snapshot }} turns={turns.slice(0, chosen + 1)} />
      )}
    </article>
  );
}

const TOO_LARGE = "The file is too large to show. Save it to see it.";
const ABSENT = "The file does not exist at this turn.";

interface FileOf {
  id: string;
  path: string;
  turns: readonly TurnRecord[];
  history: RunHistory;
}

/** The file after the turn at this index; undefined: not needed. */
function useFile(file: FileOf, index: number | undefined): Content | undefined {
  const { id, path, history } = file;
  const isAbsent = index !== undefined && !laneTurnAt(file, index) && !history.at(index).has(path);
  const query = index === undefined || isAbsent ? undefined : pathOf(id, path, atIndex(file, index));
  const answered = useAnswer(query, (signal) => askBytes(query ?? "", { signal, most: HUGE }));
  return isAbsent ? { none: ABSENT } : contentOf(answered);
}

/** Turns after its last change did not touch it. */
function atIndex({ path, turns, history }: FileOf, index: number): string {
  const turn = laneTurnAt({ turns }, index) ?? history.at(index).lastChange(path) ?? turns[index];
  return turn ? atOf(turn) : "0";
}

/** A lane has files of its own. */
function laneTurnAt({ turns }: Pick<FileOf, "turns">, index: number): TurnRecord | undefined {
  const turn = turns[index];
  return turn && !isOfRun(turn) ? turn : undefined;
}

function lastInLane({ turns, path, chosen }: Pick<FileViewProps, "turns" | "path" | "chosen">) {
  const at = laneTurnAt({ turns }, chosen);
  const own = turns.slice(0, chosen + 1).filter(({ lane, instruction }) => lane && instruction === at?.instruction);
  return own.findLast(({ changes }) => changes.some((change) => change.path === path));
}

const pathOf = (id: string, path: string, at: string): string =>
  `/runs/${id}/file?${new URLSearchParams({ path, at })}`;

/** Only text is shown. */
function contentOf(answered: AnswerState<Uint8Array<ArrayBuffer>>): Content | undefined {
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

const NO_TEXT = "The file is not text. Save it to see it.";

interface SavedFile {
  id: string;
  path: string;
  at: string;
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

async function saveFile({ id, path, at, bytes }: SavedFile): Promise<void> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  save(name, bytes ?? (await askBytes(pathOf(id, path, at))));
}
