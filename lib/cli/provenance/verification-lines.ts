/** Words what `l2mac verify` found. What a manifest says may be anybody's text. */
import { pluralize, shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { CheckedSignature } from "../../files/provenance/signature.ts";
import type { Manifest, Verification } from "../../files/provenance/verify-delivery.ts";
import { localMoment } from "../display/local-time.ts";
import type { Shell } from "../display/shell.ts";
import type { ExecutedCheck } from "./execute-evidence.ts";
import type { VerifiedDelivery } from "./verify.ts";

export interface ShownVerification {
  delivery: VerifiedDelivery;
  manifest: Manifest;
  verification: Verification;
  isKeyGiven: boolean;
}

export function showVerification(shown: ShownVerification, shell: Shell): void {
  for (const line of verificationLines(shown)) shell.out(`${sanitizeLine(line)}\n`);
}

/** `executed`: absent where nothing was. */
export function asJson({ delivery, manifest, verification }: ShownVerification, executed?: ExecutedCheck[]) {
  const { isVerified, ...found } = verification;
  const { invocationId, startedOn, finishedOn } = manifest.statement.predicate.runDetails.metadata;
  return {
    verified: isVerified,
    subject: delivery.subject,
    manifest: delivery.manifestPath ?? null,
    ...found,
    run: invocationId,
    startedOn,
    finishedOn,
    result: resultIn(manifest),
    ...(executed ? { evidence: executed } : {}),
  };
}

/** As the manifest has it. */
const resultIn = ({ statement }: Manifest): Record<string, unknown> =>
  statement.predicate.runDetails.byproducts.find(({ name }) => name === "result")?.annotations ?? {};

function verificationLines({ delivery, manifest, verification, isKeyGiven }: ShownVerification): string[] {
  const { signature, zip, unreadable, same, beside, isVerified } = verification;
  const { changed, missing, extra } = verification;
  const { builder, metadata } = manifest.statement.predicate.runDetails;
  const version = builder.version?.l2mac === undefined ? "" : ` by l2mac ${builder.version.l2mac}`;
  return [
    row("Manifest", delivery.manifestPath ?? `of ${delivery.subject}`),
    row(
      "Made",
      `run ${shortId(metadata.invocationId)}${version}, ${shownTime(metadata.startedOn)} to ${shownTime(metadata.finishedOn)}`,
    ),
    ...checkedRows(manifest),
    row("Signature", signatureWords(signature, isKeyGiven)),
    ...(zip === undefined
      ? []
      : [row("Zip", zip === "same" ? "as it was delivered" : "CHANGED since it was delivered")]),
    ...(unreadable === undefined ? [] : [row("", `nothing in it is looked at: ${unreadable}`)]),
    row("Files", countWords({ same, changed, missing, extra })),
    ...named("changed", changed),
    ...named("missing", missing),
    ...named("extra", extra),
    ...beside.map(({ name, status }) => row("Beside", `${name}: ${BESIDE[status]}`)),
    isVerified ? verifiedWords(signature) : `NOT VERIFIED: ${delivery.subject} is not what was delivered.`,
  ];
}

/** A manifest may say anything. */
const shownTime = (at: string): string => (Number.isNaN(Date.parse(at)) ? at : localMoment(at));

const row = (head: string, text: string): string => `${head.padEnd(10)} ${text}`;

/** They are claims of who signed: only evidence is executed again. */
function checkedRows(manifest: Manifest): string[] {
  const { verdicts } = resultIn(manifest) as {
    verdicts?: { tests?: { passed?: unknown; total?: unknown }; unchecked?: unknown };
  };
  const { passed, total } = verdicts?.tests ?? {};
  const unchecked = Array.isArray(verdicts?.unchecked)
    ? verdicts.unchecked.filter((each) => typeof each === "string")
    : [];
  if (typeof passed !== "number" || typeof total !== "number") return [];
  const tests = total === 0 ? "no tests" : `${passed} of ${pluralize(total, "test")} passed`;
  return [
    row(
      "Checked",
      `${tests}, as the manifest says${unchecked.length > 0 ? `; unchecked: ${unchecked.join("; ")}` : ""}`,
    ),
  ];
}

const KEY_CHARS = 16;

function signatureWords({ status, keyid = "" }: CheckedSignature, isKeyGiven: boolean): string {
  const short = keyid.slice(0, KEY_CHARS);
  if (status === "valid") return `valid, of ${isKeyGiven ? "the given key" : "this computer's key"} ${short}`;
  if (status === "invalid") {
    return keyid === "" ? "WRONG: the manifest is not signed" : `WRONG: key ${short} did not sign this manifest`;
  }
  return status === "unknown" ? `not checked: key ${short} is not known here` : "none: the manifest is not signed";
}

interface Counted extends Pick<Verification, "same" | "changed" | "missing" | "extra"> {}

const countWords = ({ same, changed, missing, extra }: Counted): string =>
  [
    `${same} as delivered`,
    ...Object.entries({ changed, missing, extra }).flatMap(([what, { length }]) =>
      length > 0 ? [`${length} ${what.toUpperCase()}`] : [],
    ),
  ].join(", ");

const NAMED = 20;

const named = (what: string, paths: string[]): string[] => [
  ...paths.slice(0, NAMED).map((path) => row("", `${what}: ${path}`)),
  ...(paths.length > NAMED ? [row("", `${what}: ${paths.length - NAMED} more; --json names all`)] : []),
];

const BESIDE: Record<Verification["beside"][number]["status"], string> = {
  same: "as it was delivered",
  changed: "CHANGED since it was delivered",
  absent: "not there, so not checked",
};

const verifiedWords = ({ status }: CheckedSignature): string =>
  status === "valid"
    ? "Verified: signature and files."
    : "Intact: the files are those of the manifest. Who wrote the manifest was not verified; --key FILE does that.";
