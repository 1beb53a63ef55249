/** What new code of a test file does to tests that are not its own: while it is loaded, and around each test. Pure. */
import { type Own, outside } from "./foreign-assignments.ts";
import { ASSERTIONS, loadsIn, reachesIn, replacesMatchers, runsAlone, surroundsIn } from "./switches.ts";
import { compact, type Part } from "./test-part.ts";
import type { Language, Token } from "./token.ts";

export interface Where {
  language: Language;
  /** Accepted tests stand beside it: in the same file, or below the same conftest.py. */
  shared: boolean;
  /** In a class that was accepted. */
  inClass: boolean;
  own: Own;
}

/** Of a part by itself: what is inside it is looked at separately. */
export function reaching(part: Part, where: Where): string[] {
  const found = reachesIn(part.tokens, where.language);
  if (where.language === "python") found.push(...pythonReaching(part, where));
  if (where.language === "javascript") found.push(...javascriptReaching(part, where));
  if (where.language === "go") found.push(...goReaching(part));
  return found;
}

function pythonReaching(part: Part, { shared, inClass, own }: Where): string[] {
  const { tokens } = part;
  if (!isDefinition(part)) return [...loadsIn(tokens, "python"), ...outside(tokens, own)];
  if (part.kind === "group") return [];
  const found: string[] = [];
  const head = part.binds[0] ?? "";
  if (shared && outsideNames(tokens, own)) found.push("it gives a name another meaning, which accepted tests use");
  if (
    shared &&
    /^(?:load_tests|__getattr__|__init_subclass__|pytest_(?!(?:un)?configure$|addoption$|report_header$)\w+)$/.test(
      head,
    )
  )
    found.push(DECIDES);
  if (inClass && /^(?:run|debug|countTestCases|__call__)$/.test(head)) found.push(DECIDES);
  if (inClass && new RegExp(`^${ASSERTIONS}$`).test(head))
    found.push("it replaces what tests assert with, or the runner");
  if (shared && SELF_MADE.test(compact(tokens, true))) found.push("it can replace names that tests use");
  if (shared && (SETS_UP.test(head) || isAutouse(tokens)))
    found.push(...surroundsIn(tokens, "python"), ...outside(tokens, own));
  return found;
}

const DECIDES = "it decides which tests are found or how they are run";
const SETS_UP = /^(?:setup|teardown|setUp|tearDown|asyncSetUp|asyncTearDown|pytest_(?:un)?configure$)/;
const SELF_MADE =
  /\bmodules\[__name__\]|(?<![.\w])globals\(\)(?:\[[^\]]{0,200}\]=(?!=)|\.(?:pop|update|setdefault|clear)\()|\b(?:setattr|delattr)\(Test\w*,/;

const isDefinition = ({ tokens }: Part): boolean => /^(?:@|def|async|class)$/.test(tokens[0]?.text ?? "");

/** `autouse=True`, `1`, or whatever is not no, in a decorator. */
function isAutouse(tokens: Token[]): boolean {
  for (const [at, { text, first }] of tokens.entries()) {
    if (first && /^(?:def|async)$/.test(text)) return false;
    if (text === "autouse" && tokens[at + 1]?.text === "=")
      return !/^(?:False|None|0)$/.test(tokens[at + 2]?.text ?? "");
  }
  return false;
}

/** `global name` in a function, of a name that accepted tests use. */
const outsideNames = (tokens: Token[], { taken }: Own): boolean =>
  tokens.some(({ text }, at) => {
    if (text !== "global") return false;
    for (let next = at + 1; tokens[next]?.kind === "word"; next += 2) {
      if (taken.has(tokens[next]?.text ?? "")) return true;
      if (tokens[next + 1]?.text !== ",") return false;
    }
    return false;
  });

function javascriptReaching({ tokens, kind }: Part, { shared }: Where): string[] {
  const found: string[] = [];
  if (runsAlone(tokens)) found.push("it can skip tests: it runs alone");
  if (kind === "test" || kind === "import") return found;
  if (shared && replacesMatchers(tokens)) found.push("it replaces what tests assert with, or the runner");
  if (/^(?:before|after)(?:Each|All)?$/.test(tokens[0]?.text ?? ""))
    return shared ? [...found, ...surroundsIn(tokens, "javascript")] : found;
  if (!MAKES.test(compact(tokens.slice(0, 40)))) {
    const loaded = loadsIn(tokens, "javascript");
    found.push(...(shared ? loaded : loaded.filter((message) => message.includes("end"))));
  }
  return found;
}

/** A function of its own: nothing happens until it is called. */
const MAKES =
  /^(?:export )?(?:default )?(?:(?:async )?function\b|class\b|(?:const|let|var) [\w$]+=(?:async ?)?(?:\([^()]*\)=>|[\w$]+=>|function\b))/;

function goReaching({ tokens }: Part): string[] {
  const name = tokens[0]?.text === "func" ? tokens[1]?.text : undefined;
  if (name === "TestMain") {
    const runs = tokens.some(({ text }, at) => text === "Run" && tokens[at - 1]?.text === ".");
    return runs ? [] : ["TestMain decides whether the package's tests run"];
  }
  return name === "init" || tokens[0]?.text === "var" ? loadsIn(tokens, "go") : [];
}

/** Code that runs while the tests are being collected, and ends that. */
export function leaving({ tokens, kind }: Part, language: Language): string[] {
  const first = tokens[0]?.text ?? "";
  if (kind === "test" || kind === "group") return [];
  if (language === "python")
    return /^(?:raise|return|assert|break|continue)$/.test(first) ? ["it ends the file's loading early"] : [];
  if (/^(?:return|throw|break|continue)$/.test(first)) return ["it leaves before the tests that follow"];
  const blocks = /^(?:if|for|while|try|do|switch|\{)$/.test(first);
  return blocks && tokens.some(({ text }) => text === "return" || text === "throw")
    ? ["it can leave before the tests that follow"]
    : [];
}
