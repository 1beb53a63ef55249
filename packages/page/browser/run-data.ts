/** All that is known here of one run, kept up as its events come. */
import { useEffect, useState } from "preact/hooks";
import type { ProgramAnswer } from "../../../lib/api/answers.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { ask, isElsewhere } from "./ask.ts";
import { follow, type RunUpdate } from "./follow.ts";
import { createPause } from "./pause.ts";

export interface RunData extends RunUpdate {
  program: ProgramAnswer;
  turns: TurnRecord[];
  start: string[];
}

const NOTHING: RunData = { program: { instructions: [], requirements: [] }, turns: [], start: [] };

export function useRun(id: string): RunData {
  const [data, setData] = useState<RunData>(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    setData(NOTHING);
    const onUpdate = (update: RunUpdate): void => setData((known) => ({ ...known, ...update }));
    const pause = createPause({ signal, tab: document });
    void follow({ id, ask, pause, now: Date.now, showsAnswers: !isElsewhere, onUpdate, signal });
    return () => ending.abort();
  }, [id]);
  return data;
}
