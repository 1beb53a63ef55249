/** Where the page is, as its address says: the list of runs, or one run and what of it is looked at. Pure. */

export type Tab = "transcript" | "file" | "pictures";

export type Place =
  | { view: "runs" }
  | { view: "run"; id: string; instruction?: number; turn?: number; file?: string; tab: Tab };

export function placeIn(hash: string): Place {
  const url = new URLSearchParams(hash.replace(/^#/, ""));
  const id = url.get("run");
  if (!id || !/^[0-9A-Z]{26}$/.test(id)) return { view: "runs" };
  const tab = url.get("tab");
  const [instruction, turn] = (url.get("at") ?? "").split(".");
  const file = url.get("file");
  return {
    view: "run",
    id,
    ...(instruction && /^\d+$/.test(instruction) ? { instruction: Number(instruction) } : {}),
    ...(turn && /^\d+$/.test(turn) ? { turn: Number(turn) } : {}),
    ...(file ? { file } : {}),
    tab: tab === "file" || tab === "pictures" ? tab : "transcript",
  };
}

export function hashOf(place: Place): string {
  if (place.view === "runs") return "#runs";
  const url = new URLSearchParams({ run: place.id });
  if (place.instruction !== undefined)
    url.set("at", place.turn === undefined ? String(place.instruction) : `${place.instruction}.${place.turn}`);
  if (place.file !== undefined) url.set("file", place.file);
  if (place.tab !== "transcript") url.set("tab", place.tab);
  return `#${url}`;
}
