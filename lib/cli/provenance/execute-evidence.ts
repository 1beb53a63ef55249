/** Executes the evidence of a delivery in the sandbox of this computer, in an empty place and without a model. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { type Documents, documentOutcome } from "../../core/evidence/documents/document-outcome.ts";
import { type EvidenceCheck, evidenceName, type Outcome } from "../../core/evidence/evidence.ts";
import { outcomeOf, testPaths } from "../../core/evidence/outcome.ts";
import { EVALUATION_MS } from "../../core/limits.ts";
import type { EvaluationRequest } from "../../core/ports.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { DeclaredCheck } from "../../files/provenance/declared-evidence.ts";
import { hashOf } from "../../files/provenance/read-delivered.ts";
import { checkedTree } from "../../pack/checked-tree.ts";
import { packTree } from "../../pack/pack.ts";
import { openEvaluator } from "../../sandbox/open-evaluator.ts";
import { howToSeal } from "../../sandbox/permission.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { readSettings } from "../settings/settings.ts";
import type { VerifiedDelivery } from "./verify.ts";
import { NO_EVIDENCE } from "./verify-flags.ts";

export interface ExecutedCheck extends DeclaredCheck {
  outcome: Outcome;
}

export interface EvidenceToExecute {
  delivery: Pick<VerifiedDelivery, "subject" | "readTree">;
  checks: DeclaredCheck[];
  /** By path, as the manifest has it. */
  declared: ReadonlyMap<string, string>;
  flags: Arguments["flags"];
}

/** What texts say is read, without a sandbox. Throws where code of others may not be run on this computer. */
export async function executeEvidence(asked: EvidenceToExecute, shell: Shell): Promise<ExecutedCheck[]> {
  const files = await filesOf(asked);
  const documents: Documents = {
    paths: [...files.keys()],
    read: async (path) => {
      const bytes = files.get(path);
      return bytes && decodeText(bytes);
    },
  };
  const outcomes = new Map<DeclaredCheck, Outcome>();
  for (const each of asked.checks)
    if (isOfDocuments(each.check)) outcomes.set(each, said(each, await documentOutcome(each.check, documents), shell));
  const others = asked.checks.filter((each) => !outcomes.has(each));
  if (others.length > 0) await executeSealed({ asked, others, files, outcomes }, shell);
  return asked.checks.flatMap((each) => {
    const outcome = outcomes.get(each);
    return outcome ? [{ ...each, outcome }] : [];
  });
}

function said(each: DeclaredCheck, outcome: Outcome, shell: Shell): Outcome {
  shell.say(sanitizeLine(`  ${evidenceName(each)}: ${outcome.status}`));
  return outcome;
}

interface SealedExecution {
  asked: EvidenceToExecute;
  others: DeclaredCheck[];
  files: ReadonlyMap<string, Uint8Array>;
  outcomes: Map<DeclaredCheck, Outcome>;
}

/** Nothing stays on this computer. */
async function executeSealed({ asked, others, files, outcomes }: SealedExecution, shell: Shell): Promise<void> {
  const changes = [...checkedTree(asked.delivery.subject, files)].map(([path, content]) => ({ path, content }));
  const pack = packTree(undefined, changes);
  const home = mkdtempSync(join(tmpdir(), "l2mac-verify-"));
  const layers = { ...shell, flags: asked.flags };
  try {
    const { evaluator, sealed } = openEvaluator({ home, env: shell.env, announce: shell.say });
    if (!sealed.sealed && !asked.flags.has(UNSEALED)) throw notSealed(asked.delivery.subject, sealed.how);
    const { install = true, checkMinutes } = readSettings(layers);
    const timeoutMs = checkMinutes === undefined ? EVALUATION_MS : checkMinutes * 60_000;
    const shared = { runId: randomUUID(), base: { key: "delivered", load: async () => pack }, changes: [] };
    const evaluate = once(async (check: EvidenceCheck) =>
      evaluator.evaluate({ ...shared, ...partsOf(check), delivered: true, install, timeoutMs }),
    );
    const end = Date.now() + EVIDENCE_MS;
    try {
      for (const each of others) {
        const outcome = Date.now() < end ? outcomeOf(each.check, await evaluate(each.check)) : NO_TIME;
        outcomes.set(each, said(each, outcome, shell));
      }
    } finally {
      await evaluator.release?.(shared.runId);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const UNSEALED = "--unsealed";
/** All checks together. */
const EVIDENCE_MS = 60 * 60_000;
const NO_TIME: Outcome = { status: "unknown", detail: "the time for all checks, an hour, is over", output: "" };

/** What a user has allowed to their own runs says nothing of what others made. */
const notSealed = (subject: string, how: string): UserError =>
  new UserError(
    `The evidence of ${subject} was not executed: ${how}. Without a sandbox its code, which others may have written, could read your files and keys, reach your network, and change or delete what you may.`,
    {
      exitCode: 3,
      remedy: `${howToSeal(process.platform)}; or say ${NO_EVIDENCE.name} to leave it out, or ${UNSEALED} if it may all the same`,
    },
  );

const partsOf = (check: EvidenceCheck): Pick<EvaluationRequest, "command" | "tests"> =>
  check.argv?.length ? { command: { argv: check.argv } } : { tests: { paths: testPaths(check) } };

/** Checks of the same test files, or by the same command, are executed together. */
function once(evaluate: (check: EvidenceCheck) => Promise<Verdict>): (check: EvidenceCheck) => Promise<Verdict> {
  const known = new Map<string, Promise<Verdict>>();
  return (check) => {
    const key = JSON.stringify(partsOf(check));
    const verdict = known.get(key) ?? evaluate(check);
    known.set(key, verdict);
    return verdict;
  };
}

/** Only bytes that the manifest names are looked at or executed: a folder may have changed since it was compared. */
async function filesOf({ delivery, declared }: EvidenceToExecute): Promise<Map<string, Uint8Array>> {
  const files = await delivery.readTree();
  const other = [...files].find(([path, content]) => declared.get(path) !== hashOf(content));
  if (other || files.size !== declared.size) {
    throw new UserError(`${delivery.subject} changed while it was verified. Nothing of it was executed.`, {
      exitCode: 1,
      remedy: "Verify it again.",
    });
  }
  return files;
}
