/** A whole file; on request with the turn that each of its lines comes from. */
import { useState } from "preact/hooks";
import type { RunSnapshot } from "../../../lib/core/run/history.ts";
import { blameLines } from "../../../lib/core/text/blame-lines.ts";
import { fileVersions } from "../../../lib/core/turn/file-versions.ts";
import { creditedTurns } from "../../../lib/core/turn/lane-turns.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { askBytes, Refused } from "../browser/ask.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { hashOf, placeOf } from "../route.ts";
import { atOf, nameOf } from "../turn-summary.ts";
import { Whole } from "./code.tsx";
import { Loading } from "./waiting.tsx";

interface BlamedFileProps {
  id: string;
  path: string;
  text: string;
  line?: number | undefined;
  /** Up to the chosen one. */
  turns: TurnRecord[];
  snapshot: RunSnapshot;
}

export function BlamedFile({ id, path, text, line, turns, snapshot }: BlamedFileProps) {
  const [isBlamed, setBlamed] = useState(false);
  const last = turns.at(-1);
  const key = isBlamed ? `${id} ${path} ${last ? atOf(last) : ""}` : undefined;
  const blamed = useAnswer(key, (signal) => originsOf({ id, path, turns, signal }));
  const origins = blamed && "value" in blamed ? blamed.value : undefined;
  return (
    <>
      <label class="small">
        <input type="checkbox" checked={isBlamed} onChange={(event) => setBlamed(event.currentTarget.checked)} /> Show
        where each line comes from
      </label>
      {isBlamed && !blamed && <Loading what="Reading the versions of the file" />}
      {blamed && "problem" in blamed && <p class="quiet">{blamed.problem}</p>}
      {origins && <Origins id={id} origins={origins} snapshot={snapshot} />}
      <Whole
        {...{ path, text }}
        {...(line === undefined ? {} : { line })}
        {...(origins ? { origins: origins.map(nameOfOrigin) } : {})}
      />
    </>
  );
}

/** Undefined: the run started with it. */
type Origin = TurnRecord | undefined;

const nameOfOrigin = (origin: Origin): string => (origin ? atOf(origin) : "start");

interface OriginsRequest {
  id: string;
  path: string;
  turns: TurnRecord[];
  signal: AbortSignal;
}

async function originsOf({ id, path, turns, signal }: OriginsRequest): Promise<Origin[]> {
  const read = async (file: string, after: Origin): Promise<string | undefined> => {
    const query = new URLSearchParams({ path: file, at: after ? atOf(after) : "0" });
    try {
      return new TextDecoder().decode(await askBytes(`/runs/${id}/file?${query}`, { signal }));
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  };
  return blameLines(await fileVersions<TurnRecord>({ turns: creditedTurns(turns), read }, path)).map(
    ({ origin }) => origin,
  );
}

/** What the numbers in the margin mean. */
function Origins({ id, origins, snapshot }: { id: string; origins: Origin[]; snapshot: RunSnapshot }) {
  const turns = [...new Set(origins)].flatMap((origin) => origin ?? []);
  return (
    <ul class="origins small">
      {turns.map((turn) => {
        const { title, requirements } = snapshot.instruction(turn.instruction);
        return (
          <li key={atOf(turn)}>
            <a href={hashOf({ view: "run", id, tab: "transcript", ...placeOf(turn) })}>{nameOf(turn)}</a>
            {": "}
            {title}
            {requirements.length > 0 && <span class="quiet"> · {requirements.join(", ")}</span>}
          </li>
        );
      })}
    </ul>
  );
}
