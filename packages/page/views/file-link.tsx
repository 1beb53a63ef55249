/** Leads to a file, and a line in it, as they were at the turn that speaks of them. */
import { reveal } from "../../../lib/core/text/sanitize.ts";
import type { TurnAddress } from "../../../lib/core/turn/turn-address.ts";
import { hashOf, placeOf, type RunRoute } from "../route.ts";

export interface TurnLink {
  route: RunRoute;
  turn: TurnAddress;
}

export function FileLink({ path, line, linking }: { path: string; line?: number; linking: TurnLink }) {
  const { id } = linking.route;
  const there = { view: "run", tab: "file", id, ...placeOf(linking.turn), file: path } as const;
  return (
    <a href={hashOf({ ...there, ...(line === undefined ? {} : { line }) })}>
      <bdi>
        {reveal(path)}
        {line === undefined ? "" : `:${line}`}
      </bdi>
    </a>
  );
}
