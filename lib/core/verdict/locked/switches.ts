/** Code that switches accepted tests off, or takes the truth from what they assert, by the runners' own names. Pure. */
import { compact } from "./test-part.ts";
import type { Language, Token } from "./token.ts";

interface Switch {
  pattern: RegExp;
  message: string;
  /** Strings are looked at too. */
  strings?: true;
}

/** In any place, in tests old or new: it outlives the test that does it. */
export const reachesIn = (tokens: Token[], language: Language): string[] => found(tokens, ANYWHERE[language]);

/** What must not happen while a test file is loaded. */
export const loadsIn = (tokens: Token[], language: Language): string[] => found(tokens, LOADED[language]);

/** What must not happen around each test, old ones among them. */
export const surroundsIn = (tokens: Token[], language: Language): string[] => found(tokens, AROUND[language]);

function found(tokens: Token[], switches: Switch[]): string[] {
  if (switches.length === 0) return [];
  const plain = compact(tokens);
  const full = compact(tokens, true);
  return switches.filter(({ pattern, strings }) => pattern.test(strings ? full : plain)).map(({ message }) => message);
}

const SKIPS = "it can skip tests";
const ENDS = "it can end the test run early";
const PATCHES = "it replaces what tests assert with, or the runner";
const REPLACES = "it can replace names that tests use";

/** What unittest's own assertions are called: a helper of another name is a helper. */
export const ASSERTIONS =
  "assert(?:Equal|NotEqual|True|False|Is|IsNot|IsNone|IsNotNone|In|NotIn|IsInstance|NotIsInstance|Raises|RaisesRegex|Warns|Logs|AlmostEqual|NotAlmostEqual|Greater|GreaterEqual|Less|LessEqual|Regex|NotRegex|CountEqual|MultiLineEqual|SequenceEqual|ListEqual|TupleEqual|SetEqual|DictEqual)";

const PYTHON_SKIPS =
  /\bpytest\.skip\(|\bself\.skipTest\(|(?<![.\w])skip\(|\bimportorskip\(|\bSkipTest\b|\bSkipped\b|\ballow_module_level\b/;

const ANYWHERE: Record<Language, Switch[]> = {
  python: [
    { pattern: /\bos\._exit\(|\bos\.abort\(|\bos\.kill\(os\.getp|\bpytest\.exit\(/, message: ENDS },
    {
      pattern:
        /(?<!\w:|\.)\b(?:unittest|pytest|_pytest|pluggy|TestCase|TestResult|TextTestRunner)(?:\.\w+|\[[^\]]{0,200}\]){1,20}=(?!=)/,
      message: PATCHES,
    },
    {
      pattern: /\b(?:unittest|pytest|_pytest|pluggy|TestCase|TestResult)(?:\.\w+){0,20}\.[a-z_]\w*=(?!=)/,
      message: PATCHES,
    },
    {
      pattern:
        /\b(?:setattr|delattr|patch|patch\.object|setitem)\((?:["']?(?:unittest|pytest|_pytest|pluggy)\b(?!\.mock)|(?:\w+\.)?TestCase\b)/,
      message: PATCHES,
      strings: true,
    },
    {
      pattern: /\bmodules\[["'](?:_?pytest|unittest|pluggy|l2mac_\w+)["']\]=(?!=)/,
      message: PATCHES,
      strings: true,
    },
    { pattern: /\bl2mac_\w+|\bL2MAC_\w+/, message: PATCHES },
    { pattern: new RegExp(String.raw`\.${ASSERTIONS}=(?!=)`), message: PATCHES },
    { pattern: /\b__globals__\b/, message: REPLACES },
  ],
  javascript: [
    {
      pattern: /\bprocess\.(?:reallyExit|abort)\(|\bprocess\.kill\(process\.p|\bprocess\.(?:emit|on)=(?![=>])/,
      message: ENDS,
    },
    { pattern: /(?<![.\w$])(?:assert|expect|chai)(?:\.\w+|\[[^\]]{0,200}\]){1,20}=(?![=>])/, message: PATCHES },
    {
      pattern: /\b(?:globalThis|global)\.(?:assert|expect|test|it|describe|suite)\b(?:\.\w+){0,20}=(?![=>])/,
      message: PATCHES,
    },
    { pattern: /\bAssertionError(?:\.\w+){1,20}=(?!=)/, message: PATCHES },
    {
      pattern:
        /\b(?:defineProperty|defineProperties|assign|setPrototypeOf|deleteProperty|Reflect\.set|spyOn|method|replaceProperty|stub|replace)\((?:assert|expect|chai)[,.)]/,
      message: PATCHES,
    },
    {
      pattern: /\bModule\.(?:_load|_resolveFilename)=(?![=>])|\bregisterHooks\(|\bsyncBuiltinESMExports\(|\bL2MAC_\w+/,
      message: PATCHES,
    },
  ],
  go: [],
};

const LOADED: Record<Language, Switch[]> = {
  python: [
    { pattern: PYTHON_SKIPS, message: SKIPS },
    {
      pattern: /^pytestmark(?::\w+)?=(?!\[?pytest\.mark\.(?!skip|xfail)\w+(?:\(|,|\]|$)(?:(?!skip|xfail)[^\n])*$)/,
      message: SKIPS,
    },
    { pattern: /^(?:collect_ignore(?:_glob)?|__test__|__unittest_skip\w*)\b/, message: SKIPS },
    { pattern: /^collect_ignore(?:_glob)?\.|^load_tests=/, message: SKIPS },
    { pattern: /\bsys\.exit\(|\bSystemExit\b|(?<![.\w])(?:quit|exit|_exit)\(|\batexit\.register\(/, message: ENDS },
    { pattern: /\bimport\b[^;]{0,400}\b(?:_exit|exit as)\b/, message: ENDS },
    {
      pattern:
        /(?<![.\w])(?:globals\(\)|locals\(\)|vars\(|exec\(|eval\(|compile\(|setattr\(|delattr\()|\b__dict__\b|\b__builtins__\b|\bbuiltins\.(?!input\b|print\b|open\b)\w+=(?!=)/,
      message: REPLACES,
    },
    { pattern: /^del /, message: "it takes names away" },
    { pattern: /\bimport ?\*/, message: REPLACES },
    { pattern: /\bsys\.(?:meta_path|settrace|setprofile)\b|\bgc\.get_(?:objects|referrers)\(/, message: PATCHES },
    { pattern: /^pytest_plugins\b/, message: "it loads plugins into the test run" },
  ],
  javascript: [
    { pattern: /\bprocess\.exit\(/, message: ENDS },
    { pattern: /\bprocess\[["'`](?:exit|reallyExit|abort|kill)["'`]\]/, message: ENDS, strings: true },
    { pattern: /(?<![.\w$])eval\(|(?<![.\w$])(?:new )?Function\(/, message: REPLACES },
    {
      pattern:
        /\b(?:vi|jest)\.(?:mock|doMock|setMock|unstable_mockModule|setConfig|resetConfig|retryTimes)\(|\bmock\.module\(/,
      message: "it replaces modules under the tests of this file",
    },
  ],
  go: [{ pattern: /\bos\.Exit\(|\bsyscall\.(?:Exit|Kill)\(|\blog\.Fatal|\bflag\.Set\(/, message: ENDS }],
};

const AROUND: Record<Language, Switch[]> = {
  python: [
    { pattern: PYTHON_SKIPS, message: SKIPS },
    { pattern: /\.add_marker\(|\bpytest\.xfail\(/, message: SKIPS },
    { pattern: /\bsys\.exit\(|(?<![.\w])(?:quit|exit|_exit)\(|\braise SystemExit\b/, message: ENDS },
    {
      pattern: /(?<!\w)(?:setattr|delattr|patch|patch\.object|patch\.multiple)\(|\bsetitem\((?!os\.environ)/,
      message: "it replaces something before each test",
    },
    { pattern: /\bmodules\[[^\]]{0,200}\]=(?!=)|(?<![.\w])(?:globals|vars)\(/, message: REPLACES },
  ],
  javascript: [
    { pattern: /\.skip\(|\bpending\(/, message: SKIPS },
    { pattern: /\bprocess\.exit\(/, message: ENDS },
  ],
  go: [],
};

/** A test of JavaScript that is to run alone: the others do not. */
export function runsAlone(tokens: Token[]): boolean {
  const words = tokens.slice(0, 12).map(({ text }) => text);
  const first = words[0] === "await" ? 1 : 0;
  if (/^(?:fit|fdescribe|fcontext|fspecify)$/.test(words[first] ?? "") && words[first + 1] === "(") return true;
  if (!/^(?:test|it|specify|describe|suite|context|bench)$/.test(words[first] ?? "")) return false;
  const call = words.indexOf("(", first);
  const callee = words.slice(first + 1, call === -1 ? undefined : call);
  if (callee.some((word) => /^["'`]?only["'`]?$/.test(word)) && /^[.[]/.test(callee[0] ?? "")) return true;
  if (call === -1 || words[call + 2] !== "," || words[call + 3] !== "{") return false;
  const options = words.slice(call + 4, call + 12);
  const only = options.findIndex((word) => /^["']?only["']?$/.test(word));
  return only !== -1 && options[only + 1] === ":" && options[only + 2] !== "false";
}

/** Matchers that everybody has: with another meaning they say nothing. */
export const replacesMatchers = (tokens: Token[]): boolean =>
  tokens.some(({ text }, at) => text === "extend" && tokens[at - 2]?.text === "expect") &&
  tokens.some(
    ({ text }, at) => MATCHERS.test(text) && tokens[at - 1]?.text !== "." && /^[:(]$/.test(tokens[at + 1]?.text ?? ""),
  );

const MATCHERS =
  /^["']?to(?:Be|Equal|StrictEqual|Throw|ThrowError|Match|MatchObject|Contain|ContainEqual|HaveLength|HaveProperty|BeTruthy|BeFalsy|BeNull|BeUndefined|BeDefined|BeCloseTo|BeGreaterThan|BeLessThan|BeInstanceOf|HaveBeenCalled|HaveBeenCalledWith|HaveBeenCalledTimes|MatchSnapshot)["']?$/;
