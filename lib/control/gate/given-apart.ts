/** Runs the given tests once more, apart from everything else that the run wrote to test with. */
import { type ApartOpinion, apartOpinion } from "../../core/verdict/apart/apart-opinion.ts";
import { type ApartTree, apartTree, decides } from "../../core/verdict/apart/apart-tree.ts";
import { isCompiled } from "../../core/verdict/apart/compiled-names.ts";
import { holdsTests, isOf } from "../../core/verdict/given-tests.ts";
import { isFoundByRunners } from "../../core/verdict/test-paths.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { sha256 } from "../files/digest.ts";
import type { StepState } from "../turn/step-state.ts";
import type { CheckRequest } from "./evaluation.ts";

export interface GivenApartInput {
  state: StepState;
  given: readonly string[];
  /** In which they passed beside everything else. */
  ordinary: Verdict[];
  /** Names the state of the files: a program cannot know it, and a replay finds the same. */
  changes: string;
  check: (wanted: CheckRequest) => Promise<Verdict>;
}

export interface GivenApart {
  opinion: ApartOpinion;
  /** Absent where they could not be run. */
  verdict?: Verdict;
}

/** Undefined: none of the given files holds tests. */
export async function runGivenApart({
  state,
  given,
  ordinary,
  changes,
  check,
}: GivenApartInput): Promise<GivenApart | undefined> {
  const read = async (path: string) => ({ path, text: textOf(await state.tree.work.read(path)) });
  const found = await Promise.all(given.filter((path) => isFoundByRunners(path) || path.endsWith(".rs")).map(read));
  const tests = found.filter((file) =>
    isFoundByRunners(file.path) ? holdsTests(file.path, file.text) : isCargoTest(file),
  );
  if (tests.length === 0) return undefined;
  const files = await allFiles(state);
  const own = files.filter(({ path, instruction }) => instruction > 0 && !given.includes(path));
  const texts = await Promise.all(own.map(({ path }) => (decides(path) ? read(path) : { path, text: "" })));
  const others = files.filter(({ path, instruction }) => instruction === 0 && /(?:^|\/)package\.json$/.test(path));
  const tree = apartTree({
    own: new Map(texts.map(({ path, text }) => [path, text])),
    others: await Promise.all(others.map(({ path }) => read(path))),
    tests,
    id: sha256(`${changes} ${JSON.stringify(tests)}`).slice(0, 12),
  });
  if (typeof tree === "string") return { opinion: { status: "not_run", detail: tree } };
  const cases = ordinary.flatMap((verdict) => verdict.tests.cases);
  const verdict = await check(requestOf(tree));
  const mine = cases.filter((one) => given.some((path) => isOf(one, path)));
  return { opinion: apartOpinion(verdict, { tree, ordinary: mine }), verdict };
}

/** Rust has no names for files of tests. */
const isCargoTest = (file: { path: string; text: string }): boolean => file.path.endsWith(".rs") && isCompiled(file);

const requestOf = ({ laid, without, paths, isChosen, canaries }: ApartTree): CheckRequest => ({
  tests: { ...(isChosen ? { paths } : {}), oneByOne: true },
  restored: laid.map(({ path, text }) => ({ path, content: new TextEncoder().encode(text) })),
  without: without.filter((path) => !laid.some((each) => each.path === path)),
  canaries,
});

const PAGE = 1_000;

async function allFiles({ tree }: StepState) {
  const files = await tree.work.list({ limit: PAGE });
  for (let page = files; page.length === PAGE; files.push(...page))
    page = await tree.work.list({ limit: PAGE, after: files.at(-1)?.path ?? "" });
  return files;
}

const decoder = new TextDecoder();
const textOf = (bytes: Uint8Array | undefined): string => decoder.decode(bytes ?? new Uint8Array());
