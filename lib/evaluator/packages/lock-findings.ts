/** What a lock file says that is not so, as findings. Pure. */
import type { Finding } from "../../core/verdict/verdict.ts";
import { shown } from "./manifest-text.ts";

const RULE = "lock-file";
const FINDINGS = 10;
const NOT_FOLLOWED = "It is not followed: packages come from the registry, as the manifest asks for them.";

export const findings = (path: string, says: string[]): Finding[] => {
  const more = says.length - FINDINGS;
  return [
    ...says.slice(0, FINDINGS).map((message) => ({ path, message: `${shown(message)} ${NOT_FOLLOWED}`, rule: RULE })),
    ...(more > 0 ? [{ path, message: `${more} more of that kind. ${NOT_FOLLOWED}`, rule: RULE }] : []),
  ];
};

export const hostOf = (address: string): string | undefined => URL.parse(address)?.host;

/** Which files of a package there are differs from computer to computer. */
export const hashFindings = (path: string, text: string): Finding[] =>
  /\s--hash=/.test(text)
    ? [{ path, message: "The hashes in it are not compared with what is installed.", rule: RULE }]
    : [];
