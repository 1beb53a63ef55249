/** The control unit in the words that validators of its language accept, too: the same machine. */
import type { Json } from "../../lib/core/text/json.ts";

export function asValidated(json: Json): Json {
  // Schemas of validators know no empty text in Assign.
  if (json === "") return "{% '' %}";
  if (Array.isArray(json)) return json.map(asValidated);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(renamed));
}

/** Validators take a state with the name Next for a way to one. */
function renamed([field, value]: [string, Json]): [string, Json] {
  if ((field === "Next" || field === "Default") && value === "Next") return [field, "Choose"];
  // A state has fields; a way is a text.
  if (field === "Next" && typeof value === "object") return ["Choose", asValidated(value)];
  return [field, asValidated(value)];
}
