/** JSON with JSONata in it: compiled once, when the definition is loaded; evaluated without throwing. */
import jsonata from "jsonata";
import { messageOf } from "../core/errors.ts";
import type { Json } from "../core/text/json.ts";
import { failed, type Outcome } from "./asl-outcome.ts";

/** `states` and the variables, by name without the `$`. */
export type Bindings = Readonly<Record<string, unknown>>;
export type Expression = (bindings: Bindings) => Promise<Outcome<Json>>;

/** Compiles every `{% … %}` in a value. What is wrong with one is added to `faults`. */
export function compileExpression(json: Json, faults: string[]): Expression {
  if (typeof json === "string") return isJsonata(json) ? compileJsonata(json, faults) : constant(json);
  if (json === null || typeof json !== "object" || !holdsJsonata(json)) return constant(json);
  const parts = Object.entries(json).map(([key, value]) => [key, compileExpression(value, faults)] as const);
  return async (bindings) => {
    const result: Record<string, Json> = {};
    for (const [key, evaluate] of parts) {
      const part = await evaluate(bindings);
      if (!part.ok) return part;
      result[key] = part.value;
    }
    return { ok: true, value: Array.isArray(json) ? Object.values(result) : result };
  };
}

const isJsonata = (text: string): boolean => text.startsWith("{%") && text.endsWith("%}");

function holdsJsonata(json: Json): boolean {
  if (typeof json === "string") return isJsonata(json);
  return json !== null && typeof json === "object" && Object.values(json).some(holdsJsonata);
}

function constant(value: Json): Expression {
  const outcome = Promise.resolve({ ok: true as const, value });
  return () => outcome;
}

/** The first is refused by the service, the second is not offered here. */
const REFUSED = [/\$eval\b/, /\$states\.context\b/];

function compileJsonata(text: string, faults: string[]): Expression {
  const source = text.slice(2, -2).trim();
  for (const refused of REFUSED) {
    const found = refused.exec(source);
    if (found) faults.push(`${found[0]} is not supported in ${text}`);
  }
  try {
    const compiled = jsonata(source);
    return (bindings) => evaluate(compiled, source, bindings);
  } catch (error) {
    faults.push(`${text} is not JSONata: ${messageOf(error)}`);
    return constant(null);
  }
}

async function evaluate(compiled: jsonata.Expression, source: string, bindings: Bindings): Promise<Outcome<Json>> {
  try {
    const value: unknown = await compiled.evaluate(undefined, bindings);
    const json = asJson(value);
    if (json !== undefined) return { ok: true, value: json };
    return failed("States.QueryEvaluationError", `The JSONata expression '${source}' returned nothing (undefined).`);
  } catch (error) {
    return failed("States.QueryEvaluationError", `The JSONata expression '${source}' failed: ${messageOf(error)}`);
  }
}

/** Undefined for what JSON cannot say. */
function asJson(value: unknown): Json | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}
