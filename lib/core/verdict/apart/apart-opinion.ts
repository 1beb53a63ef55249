/** What it means how the given tests fared apart from everything else that the run wrote to test with. Pure. */
import { oneLine } from "../../text/cut.ts";
import { type ApartRun, isOf } from "../given-tests.ts";
import type { TestCase, Verdict } from "../verdict.ts";
import { testsWords } from "../verdict-words.ts";
import type { ApartTree } from "./apart-tree.ts";
import { isCalled, notFailedOf } from "./turned-canaries.ts";

export type ApartOpinion = ApartRun | { status: "failed" | "forged"; detail: string };

/** `ordinary`: the given tests as they ran beside everything else, which all passed. */
export function apartOpinion(
  { tests }: Verdict,
  { ordinary, tree }: { ordinary: TestCase[]; tree: ApartTree },
): ApartOpinion {
  if (tests.reason === "tampered") return { status: "forged", detail: tests.detail ?? "the report of the tests" };
  const given = tree.paths.filter((path) => !tree.canaries.includes(path));
  const cases = tests.cases.filter((one) => !one.known && given.some((path) => isOf(one, path)));
  const failed = cases.filter((one) => one.status === "failed" && !given.includes(one.name) && !isAboutAbsence(one));
  if (failed.length > 0) return { status: "failed", detail: failedWords(failed, tree.removed) };
  if (tests.status === "crashed") return { status: "failed", detail: endedWords(testsWords(tests), tree.removed) };
  if (tests.status !== "passed" && tests.status !== "failed") return notRun(testsWords(tests));
  const unseen = unseenWithin(tests, tree);
  if (unseen !== undefined) return { status: "failed", detail: unseen };
  if (notFailedOf(tests.cases, tree.canaries).length > 0) return notRun("tests of ours beside them did not run");
  const passed = new Set(cases.flatMap(({ name, status }) => (status === "passed" ? [lastOf(name)] : [])));
  const missing = ordinary.filter(({ name, status }) => status === "passed" && !passed.has(lastOf(name)));
  const silent = given.filter(
    (path) => !COMPILED.test(path) && !cases.some((one) => one.status === "passed" && isOf(one, path)),
  );
  const [lacking = silent[0]] = [...cases.filter(({ status }) => status !== "passed"), ...missing].map(whyOf);
  return lacking === undefined ? { status: "passed" } : notRun(lacking);
}

const COMPILED = /\.(?:go|rs|java)$/;

/** Given files of compiled languages that are not what ran, although all that ran is known. */
function unseenWithin({ cases, ...tests }: Verdict["tests"], { within, named }: ApartTree): string | undefined {
  if (cases.length < tests.passed + tests.failed + tests.errors + tests.skipped) return undefined;
  const unseen = new Set(
    notFailedOf(
      cases,
      within.map(({ name }) => name),
    ),
  );
  const replaced = within.find(({ name }) => unseen.has(name));
  if (replaced) return `${replaced.path} is not what runs: a test that must fail, which was added to it, did not run`;
  const lost = named.find(({ name }) => !cases.some((one) => one.status === "passed" && isCalled(one, name)));
  return lost && `${lost.path}: ${lost.name} did not run`;
}

const notRun = (detail: string): ApartRun => ({ status: "not_run", detail });

/** `tests.test_a.Case.test_b`, `test_a.Case.test_b`: folders that are packages are in the names of unittest. */
const lastOf = (name: string): string =>
  name.slice(Math.max(0, name.search(/(?:::| > )/))).replace(/^[\w.]*\.(?=\w+\.\w+$)/, "");

/** Something that was taken out is what it needs: that is no failure of the program. */
const isAboutAbsence = ({ message = "" }: TestCase): boolean =>
  /\b(?:ModuleNotFoundError|ImportError|FileNotFoundError|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ENOENT|fixture '[^']*' not found|Cannot find (?:module|package)|Failed to (?:load|resolve)|(?:document|window|expect|describe|it|jest|vi) is not defined|Invalid Chai property|async def functions are not natively supported|toBeInTheDocument)\b/.test(
    message,
  );

const SHOWN = 300;

const whyOf = ({ name, message = "" }: TestCase): string => {
  const reason = message.split("\n").findLast((line) => line.trim() !== "") ?? "";
  return oneLine(`${name}${reason === "" ? " did not run" : `: ${reason.trim()}`}`, SHOWN);
};

const NAMED = 3;

function failedWords([first, ...more]: TestCase[], removed: string[]): string {
  const fail = more.length > 0 ? ` and ${more.length} more fail` : " fails";
  return oneLine(`${first?.name}${fail} ${besideWords(removed)}`, SHOWN);
}

const endedWords = (how: string, removed: string[]): string =>
  oneLine(`${besideWords(removed)}, they do not come to an end: ${how}`, SHOWN);

function besideWords(removed: string[]): string {
  const more = removed.length > NAMED ? ` and ${removed.length - NAMED} more` : "";
  return removed.length > 0
    ? `without ${removed.slice(0, NAMED).join(", ")}${more}, which this run wrote`
    : "where they run by themselves";
}
