/** The result of the clean-room check: the delivery is installed, tested and started in an empty folder. Pure. */
import * as z from "zod";
import { defined } from "../defined.ts";
import { pluralize } from "../text/format.ts";
import { CheckStatus, isBroken, isSettled, type SmokeVerdict, type Verdict } from "../verdict/verdict.ts";
import { because } from "../verdict/verdict-words.ts";

export const DeliveryCheck = z.object({ status: CheckStatus, reason: z.string().optional(), detail: z.string() });
export type DeliveryCheck = z.infer<typeof DeliveryCheck>;

export const skippedDeliveryCheck = (reason: "nothing_to_check" | "turned_off"): DeliveryCheck => ({
  status: "not_run",
  reason,
  detail: reason === "turned_off" ? "off: generated code is not executed (--no-tests)" : NOTHING,
});

const NOTHING = "there is nothing to be started";

/** The tests that the gate accepted must pass here too; what it accepted as unchecked is said already. */
export function deliveryCheckOf({ tests, smoke }: Verdict): DeliveryCheck {
  const isUnsure = tests.knownRed?.isUncertain === true && tests.failed + tests.errors === 0;
  if (isBroken(tests.status) && !isUnsure)
    return { status: tests.status, detail: `its tests there: ${testsWords(tests)}` };
  if (!smoke) return skippedDeliveryCheck("nothing_to_check");
  const { status, reason } = smoke;
  const red = tests.knownRed ? `, ${tests.knownRed.count} known red` : "";
  const tested = tests.status === "passed" ? `${pluralize(tests.passed, "test")} passed there${red}; ` : "";
  return { status, ...defined({ reason }), detail: tested + startWords(smoke) };
}

const testsWords = ({ status, failed, errors, reason, detail }: Verdict["tests"]): string =>
  status === "failed" && failed + errors > 0
    ? `${pluralize(failed + errors, "test")} did not pass`
    : `${status.replace("_", " ")}${because({ reason, detail })}`;

function startWords({ status, argv, reason, detail }: SmokeVerdict): string {
  // What speaks against it may stand in the files: then nothing needs to be started.
  if (!argv) return status === "not_run" ? NOTHING : (detail ?? STARTED[status]);
  const command = argv.map((word) => (/[\s"';]/.test(word) ? JSON.stringify(word) : word)).join(" ");
  return `\`${command}\` ${STARTED[status]}${because({ reason, detail })}`;
}

/** The command that was seen to start the delivery; undefined: none was. */
export function startCommandOf({ status, detail }: DeliveryCheck): string | undefined {
  const [from, to] = [detail.indexOf("`"), detail.lastIndexOf("` started")];
  return status === "passed" && from >= 0 && to > from ? detail.slice(from + 1, to) : undefined;
}

const STARTED: Record<CheckStatus, string> = {
  passed: "started",
  failed: "did not start",
  crashed: "crashed",
  timed_out: "ran out of time",
  not_found: "was not found",
  not_run: "could not be tried",
};

/** What is not green makes the result unchecked, save where there was nothing to do. */
export const uncheckedBy = ({ status, reason, detail }: DeliveryCheck): string[] =>
  status === "passed" || (status === "not_run" && isSettled(reason))
    ? []
    : [`the clean-room check of the delivery: ${detail}`];
