/** What was found in looking at one thing. `missing` keeps what was asked for from working; `note` is worth knowing. */
export interface Finding {
  what: string;
  state: "ok" | "note" | "missing";
  says: string;
}
