/** The route of the page in its URL: the list of runs, or one run and what is shown of it. Pure. */
import { type Run, waitsForApproval } from "../core/run/run.ts";

export type Tab = "result" | "program" | "transcript" | "file" | "charts" | "search";

export interface RunRoute {
  view: "run";
  id: string;
  instruction?: number;
  turn?: number;
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
  const [instruction, turn] = (url.get("at") ?? "").split(".");
  const file = url.get("file");
  const [line = "", against = ""] = [url.get("line") ?? "", url.get("against") ?? ""];
  return {
    view: "run",
    id,
    ...(instruction && /^\d+$/.test(instruction) ? { instruction: Number(instruction) } : {}),
    ...(turn && /^\d+$/.test(turn) ? { turn: Number(turn) } : {}),
    ...(file ? { file } : {}),
    ...(/^\d{1,7}$/.test(line) ? { line: Number(line) } : {}),
    ...(/^(last|end|\d{1,6}(\.\d{1,4})?)$/.test(against) ? { against } : {}),
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

/** Where one turn is chosen: the result is that of the whole run. */
export const atTurn = ({ tab, ...route }: RunRoute, at: { instruction: number; turn: number }): RunRoute => ({
  ...route,
  ...(tab === undefined || tab === "result" || tab === "program" ? {} : { tab }),
  ...at,
});

export function hashOf(route: Route): string {
  if (route.view === "runs") return "#runs";
  const url = new URLSearchParams({ run: route.id });
  if (route.instruction !== undefined)
    url.set("at", route.turn === undefined ? String(route.instruction) : `${route.instruction}.${route.turn}`);
  if (route.file !== undefined) url.set("file", route.file);
  if (route.line !== undefined) url.set("line", String(route.line));
  if (route.find !== undefined) url.set("find", route.find);
  if (route.against !== undefined) url.set("against", route.against);
  if (route.tab !== undefined) url.set("tab", route.tab);
  return `#${url}`;
}
