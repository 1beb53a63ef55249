/** The route of the page in its URL: the list of runs, or one run and what is shown of it. Pure. */
import { type Run, waitsForApproval } from "../../lib/core/run/run.ts";
import { readTurnAddress, type TurnAddress, turnAddress } from "../../lib/core/turn/turn-address.ts";

export type Tab = "result" | "program" | "transcript" | "file" | "charts" | "search";

export interface RunRoute {
  view: "run";
  id: string;
  instruction?: number;
  turn?: number;
  /** Of a turn that a lane took. */
  lane?: number;
  file?: string;
  line?: number;
  /** What the file is compared with: what it was before its last change, at a turn, or at the end. */
  against?: string;
  /** What is searched for. */
  find?: string;
  /** Absent: the result of a completed run, else the transcript. */
  tab?: Tab;
}

export type Route = { view: "runs" } | RunRoute;

/** `passing`: an intermediate step that the browser history skips. */
export type Navigate = (route: Route, how?: { passing: boolean }) => void;

/** The name of the tab in links made by earlier versions. */
const EARLIER_CHARTS = "pictures";

export function routeIn(hash: string): Route {
  const url = new URLSearchParams(hash.replace(/^#/, ""));
  const id = url.get("run");
  if (!id || !/^[0-9A-Z]{26}$/.test(id)) return { view: "runs" };
  const tab = url.get("tab");
  const at = url.get("at") ?? "";
  const file = url.get("file");
  const [line = "", against = ""] = [url.get("line") ?? "", url.get("against") ?? ""];
  return {
    view: "run",
    id,
    ...(/^\d+$/.test(at) ? { instruction: Number(at) } : placeOf(readTurnAddress(at))),
    ...(file ? { file } : {}),
    ...(/^\d{1,7}$/.test(line) ? { line: Number(line) } : {}),
    ...(/^(last|end|\d{1,6})$/.test(against) || readTurnAddress(against) ? { against } : {}),
    ...(url.get("find") ? { find: url.get("find") ?? "" } : {}),
    ...tabIn(tab),
  };
}

const TABS: readonly Tab[] = ["result", "program", "transcript", "file", "charts", "search"];

function tabIn(name: string | null): { tab?: Tab } {
  const tab = name === EARLIER_CHARTS ? "charts" : TABS.find((known) => known === name);
  return tab === undefined ? {} : { tab };
}

/** A completed run opens on what it made, and one that waits for approval on its program. */
export function tabOf({ tab, instruction }: RunRoute, run: Pick<Run, "status" | "reason">): Tab {
  const waits = waitsForApproval(run);
  if (tab !== undefined && (tab !== "program" || waits)) return tab;
  if (instruction !== undefined) return "transcript";
  return waits ? "program" : run.status === "completed" ? "result" : "transcript";
}

/** The path of a turn in the API. */
export const turnPath = (id: string, { instruction, turn, lane }: TurnAddress): string =>
  `/runs/${id}/turns/${instruction}/${turn}${lane === undefined ? "" : `?lane=${lane}`}`;

type Place = Pick<RunRoute, "instruction" | "turn" | "lane">;

/** The part of a route that chooses a turn. */
export const placeOf = (at: TurnAddress | undefined): Place =>
  at ? { instruction: at.instruction, turn: at.turn, ...(at.lane === undefined ? {} : { lane: at.lane }) } : {};

/** The route where no turn is chosen. */
export const withoutTurn = ({ instruction: _, turn: __, lane: ___, ...route }: RunRoute): RunRoute => route;

/** Where one turn is chosen: the result is that of the whole run. */
export function atTurn(route: RunRoute, at: TurnAddress): RunRoute {
  const { tab, ...rest } = withoutTurn(route);
  const isOfRun = tab === undefined || tab === "result" || tab === "program";
  return { ...rest, ...(isOfRun ? {} : { tab }), ...placeOf(at) };
}

export function hashOf(route: Route): string {
  if (route.view === "runs") return "#runs";
  const url = new URLSearchParams({ run: route.id });
  const { instruction, turn, lane } = route;
  if (instruction !== undefined)
    url.set("at", turn === undefined ? String(instruction) : turnAddress({ instruction, turn, lane }));
  if (route.file !== undefined) url.set("file", route.file);
  if (route.line !== undefined) url.set("line", String(route.line));
  if (route.find !== undefined) url.set("find", route.find);
  if (route.against !== undefined) url.set("against", route.against);
  if (route.tab !== undefined) url.set("tab", route.tab);
  return `#${url}`;
}
