/** Given tests that did not run although nothing failed: skipped, or not there. What is not executed is not passed. Pure. */
import { maySkip } from "./accepted-cases.ts";
import { isOf } from "./given-tests.ts";
import { pythonTests, scriptTests } from "./tests-by-text.ts";
import type { TestCase, Verdict } from "./verdict.ts";

export interface GivenLeft {
  /** Cases that left themselves out, or that something kept from running. */
  skipped: string[];
  /** Tests that their file has by its text, and of which no runner says anything. */
  unheard: string[];
  /** The given files have words for leaving tests out: it may be meant so. */
  isMeant: boolean;
}

export interface GivenLeftInput {
  verdict: Verdict;
  /** Of given files that were run by their paths. */
  unseen: Verdict | undefined;
  /** By path: what the user gave. */
  texts: ReadonlyMap<string, string>;
}

/** Undefined: each has run. */
export function givenLeft({ verdict, unseen, texts }: GivenLeftInput): GivenLeft | undefined {
  const own = verdict.tests.cases.filter((one) => [...texts.keys()].some((path) => isOf(one, path)));
  const cases = [...own, ...(unseen?.tests.cases ?? [])];
  const ran = new Set(cases.flatMap(({ name, status }) => (status === "skipped" ? [] : [name])));
  const skipped = cases.flatMap(({ name, status }) => (status === "skipped" && !ran.has(name) ? [name] : []));
  const isListed = [verdict, unseen].every((each) => each === undefined || areAllListed(each));
  const unheard = isListed ? [...texts].flatMap(([path, text]) => unheardIn(path, text, cases)) : [];
  const isMeant = [...texts.values()].some(maySkip);
  return skipped.length + unheard.length > 0 ? { skipped, unheard, isMeant } : undefined;
}

const NAMED = 3;

/** `2 are skipped: test_a.py::test_b, test_a.py::test_c` */
export const leftWords = ({ skipped, unheard }: GivenLeft): string =>
  [listed(skipped, "skipped"), listed(unheard, "not run")].filter((part) => part !== "").join("; ");

function listed(names: string[], how: string): string {
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : "";
  return names.length === 0 ? "" : `${names.length} ${how}: ${names.slice(0, NAMED).join(", ")}${more}`;
}

const areAllListed = ({ tests: { cases, passed, failed, errors, skipped } }: Verdict): boolean =>
  cases.length >= passed + failed + errors + skipped;

/** Given files of which a run says something, and not of all their tests. */
export const givenPartlyHeard = ({ tests }: Verdict, texts: ReadonlyMap<string, string>): string[] =>
  [...texts].flatMap(([path, text]) => (unheardIn(path, text, tests.cases).length > 0 ? [path] : []));

function unheardIn(path: string, text: string, cases: TestCase[]): string[] {
  const own = cases.filter((one) => isOf(one, path)).map(({ name }) => name);
  if (own.length === 0) return [];
  if (path.endsWith(".py")) {
    const words = new Set(own.flatMap((name) => name.match(/\w+/g) ?? []));
    return pythonTests(text).flatMap((name) => (words.has(name) ? [] : [`${path}::${name}`]));
  }
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return scriptTests(text).flatMap((name) => (own.some((each) => each.includes(name)) ? [] : [`${path} > ${name}`]));
}
