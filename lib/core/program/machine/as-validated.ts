/** The control unit in the words that validators of its language accept, too: the same machine. Pure. */
import type { Json } from "../../text/json.ts";

/** Validators take a state with the name Next for a way to one. */
export const NEXT = "Choose";
const NAMED = "Next";
/** Their schemas know no empty text in Assign. */
export const EMPTY = "{% '' %}";

export function asValidated(json: Json): Json {
  if (json === "") return EMPTY;
  if (Array.isArray(json)) return json.map(asValidated);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(renamed));
}

function renamed([field, value]: [string, Json]): [string, Json] {
  if ((field === "Next" || field === "Default") && value === NAMED) return [field, NEXT];
  // A state has fields; a way is a text.
  if (field === NAMED && typeof value === "object") return [NEXT, asValidated(value)];
  return [field, asValidated(value)];
}
