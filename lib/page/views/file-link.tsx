/** Leads to a file, and a line in it, as they were at the turn that speaks of them. */
import { reveal } from "../../core/text/sanitize.ts";
import type { TurnRecord } from "../../core/turn/turn.ts";
import { hashOf, type RunRoute } from "../route.ts";

export interface TurnLink {
  route: RunRoute;
  turn: Pick<TurnRecord, "instruction" | "turn">;
}

export function FileLink({ path, line, linking }: { path: string; line?: number; linking: TurnLink }) {
  const { id } = linking.route;
  const { instruction, turn } = linking.turn;
  const there = { view: "run", tab: "file", id, instruction, turn, file: path } as const;
  return (
    <a href={hashOf({ ...there, ...(line === undefined ? {} : { line }) })}>
      <bdi>
        {reveal(path)}
        {line === undefined ? "" : `:${line}`}
      </bdi>
    </a>
  );
}
