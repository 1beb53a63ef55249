/** Shows findings: a mark, what was looked at, and what was found, with what to do indented below it. */
import type { Finding } from "../../deployment/finding.ts";
import { plainText } from "../display/plain-text.ts";

const MARKS = { ok: "✔", note: "~", missing: "✘" } as const;

export const findingLine = ({ what, state, says }: Finding): string =>
  `${MARKS[state]} ${what.padEnd(10)} ${says.split("\n").map(plainText).join("\n             ")}`;

export const nothingMissing = (findings: readonly Finding[]): boolean =>
  findings.every(({ state }) => state !== "missing");
