/** The request of this API that does what a command would do: advice for its own callers. Pure. */
import type { NextCommand } from "../core/errors.ts";
import { bodyFieldOf } from "../core/run/option-forms.ts";
import { optionList } from "../core/run/option-list.ts";

export interface NextRequest {
  method: string;
  /** Below the address of the API. */
  path: string;
  body?: Record<string, unknown>;
}

/** Below the path of the run. */
const REQUESTS: Record<string, NextRequest> = {
  answer: { method: "POST", path: "/answers" },
  approve: { method: "POST", path: "/approve", body: { decision: "approve" } },
  cancel: { method: "POST", path: "/cancel" },
  delete: { method: "DELETE", path: "" },
  get: { method: "GET", path: "/output" },
  reject: { method: "POST", path: "/approve", body: { decision: "reject" } },
  resume: { method: "POST", path: "/resume" },
  status: { method: "GET", path: "" },
  watch: { method: "GET", path: "/events" },
};

/** Undefined: no request does the same. */
export function requestFor({ command, args }: NextCommand): NextRequest | undefined {
  if (command === "list") return { method: "GET", path: "/runs" };
  const known = REQUESTS[command];
  const [id, ...flags] = args;
  if (!known || id === undefined || id.startsWith("-")) return undefined;
  const changes = command === "resume" ? changesIn(flags) : {};
  const body = Object.keys(changes).length > 0 ? { ...known.body, ...changes } : known.body;
  return { method: known.method, path: `/runs/${id}${known.path}`, ...(body ? { body } : {}) };
}

function changesIn(flags: readonly string[]): Record<string, unknown> {
  const budget = budgetIn(flags);
  const hint = flags[flags.indexOf("--hint") + 1];
  return {
    ...(Object.keys(budget).length > 0 ? { budget } : {}),
    ...(flags.includes("--hint") && hint !== undefined ? { hint } : {}),
  };
}

/** `--max-turns 20` is the field `budget.turns`. */
function budgetIn(flags: readonly string[]): Record<string, number> {
  const fields = flags.flatMap((flag, at) => {
    const option = optionList.find((each) => each.flag === flag);
    const [group, field = ""] = (option && bodyFieldOf(option.name)?.split(".")) ?? [];
    return group === "budget" ? [[field, Number(flags[at + 1])] as const] : [];
  });
  return Object.fromEntries(fields);
}
