/** Declares a check of the examiner: it must be red where the work is not there yet. */
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { checkText, type EvidenceCheck, isRed, type Proof } from "../../core/evidence/evidence.ts";
import { outcomeOf } from "../../core/evidence/outcome.ts";
import { alreadyClaimed, claimedFor, isGivenCheck, type ProofInput } from "../evidence/given.ts";
import { type AskedProof, filesOf, type ProofAttempt, prove, refused, requestFor } from "../evidence/prove.ts";
import { filesBefore, type StepTrees, treesOf, workTree } from "../evidence/trees.ts";
import { sharedOf } from "./shared-files.ts";

export async function declare(input: ProofInput, asked: AskedProof): Promise<ProofAttempt> {
  const { world, state, evaluate } = input;
  const { requirement, check } = asked;
  if (isOfDocuments(check))
    return refused("reads documents, and is executed by no test runner. Name tests that you have written.");
  if (!check.tests) return refused("is a command. Name tests that you have written.");
  const trees = await treesOf({ world, state });
  const tree = workTree(trees);
  const verdict = await evaluate(requestFor(check, tree));
  const base = { ...outcomeOf(check, verdict), tree: tree.hash };
  const { given, known = [] } = input;
  const other = isGivenCheck(check, given) ? claimedFor(asked, { given, known, verdict }) : undefined;
  if (other) return refused(alreadyClaimed(other, requirement));
  if (base.status === "unknown") return refused(`could not be executed: ${base.detail}. Mend it.`, base);
  // It would be red for ever.
  if (base.status === "failed" && UNREADABLE.test(`${base.detail}\n${base.output}`))
    return refused(`cannot be read: ${base.detail}. Mend the test file.`, base);
  if (!isRed(base)) return declareKept(input, asked, trees);
  const proof: Proof = {
    requirement,
    check,
    files: await lockedFiles(input, check, trees),
    grade: 1,
    independent: true,
    base,
    work: base,
  };
  const text = `${checkText(check)} is the check of ${requirement}: it is red now, and has to be green, and red by its own assertion on stubs, when the work is done.`;
  return { proof, result: { ok: true, text, finding: `declared, red (${base.status})` } };
}

const UNREADABLE = /\b(?:SyntaxError|IndentationError|TabError)\b/;

/** Green already: it counts only for what asks for nothing new, and where it notices that what was there is gone. */
async function declareKept(input: ProofInput, asked: AskedProof, trees: StepTrees): Promise<ProofAttempt> {
  const proved = await prove(input, { ...asked, independent: true });
  if ("proof" in proved && proved.proof.kept) {
    const files = await lockedFiles(input, asked.check, trees);
    return { ...proved, proof: { ...proved.proof, files } };
  }
  return refused("passes before any work is done: it shows nothing of it. Check what the requirement asks for.");
}

/** What it names, and all that the examiner has written for its checks to share. */
async function lockedFiles({ world, state }: ProofInput, check: EvidenceCheck, trees: StepTrees) {
  const before = await filesBefore({ world, state });
  const named = filesOf(check, trees);
  const written = [...trees.work].filter(([path, sha256]) => before.get(path) !== sha256).map(([path]) => path);
  const shared = (await sharedOf(state.tree.work, written)).filter((path) => !named.some((file) => file.path === path));
  return [...named, ...shared.map((path) => ({ path, sha256: trees.work.get(path) ?? "" }))];
}
