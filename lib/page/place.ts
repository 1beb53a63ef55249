/** Where the page is, as its address says: the list of runs, or one run and what of it is looked at. Pure. */

export type Tab = "transcript" | "file" | "pictures";

export interface RunPlace {
  view: "run";
  id: string;
  instruction?: number;
  turn?: number;
  file?: string;
  line?: number;
  /** What the file is compared with: what it was before its last change, at a turn, or at the end. */
  against?: string;
  tab: Tab;
}

export type Place = { view: "runs" } | RunPlace;

/** Goes elsewhere in the page; `passing`: on the way, so that nobody needs to go back there. */
export type Go = (place: Place, how?: { passing: boolean }) => void;

export function placeIn(hash: string): Place {
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
    tab: tab === "file" || tab === "pictures" ? tab : "transcript",
  };
}

export function hashOf(place: Place): string {
  if (place.view === "runs") return "#runs";
  const url = new URLSearchParams({ run: place.id });
  if (place.instruction !== undefined)
    url.set("at", place.turn === undefined ? String(place.instruction) : `${place.instruction}.${place.turn}`);
  if (place.file !== undefined) url.set("file", place.file);
  if (place.line !== undefined) url.set("line", String(place.line));
  if (place.against !== undefined) url.set("against", place.against);
  if (place.tab !== "transcript") url.set("tab", place.tab);
  return `#${url}`;
}
