/** All that is known here of one run, kept up as its events come. */
import { useEffect, useState } from "preact/hooks";
import type { ProgramAnswer } from "../../api/answers.ts";
import type { ToldTurn } from "../../core/turn/turn.ts";
import { ask } from "./ask.ts";
import { follow, type News } from "./follow.ts";
import { createPause } from "./pause.ts";

export interface RunData extends News {
  program: ProgramAnswer;
  turns: ToldTurn[];
  start: string[];
}

const NOTHING: RunData = { program: { instructions: [], requirements: [] }, turns: [], start: [] };

export function useRun(id: string): RunData {
  const [data, setData] = useState<RunData>(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    setData(NOTHING);
    const tell = (news: News): void => setData((known) => ({ ...known, ...news }));
    void follow({ id, ask, pause: createPause({ signal, tab: document }), now: Date.now, tell, signal });
    return () => ending.abort();
  }, [id]);
  return data;
}
