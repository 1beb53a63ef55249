/** Code that can switch tests off, or take the truth from what they assert, in every spelling that is known. Pure. */
import { compact } from "./part.ts";
import type { Language, Token } from "./token.ts";

interface Switch {
  pattern: RegExp;
  message: string;
  /** Strings are looked at too. */
  strings?: true;
}

/** What new code of a locked file must not do. */
export function switchesIn(tokens: Token[], language: Language): string[] {
  return told(tokens, [...ANYWHERE[language], ...IN_LOCKED[language]]);
}

/** What no test file may do, new or old: it reaches the tests of other files. */
export const reachesIn = (tokens: Token[], language: Language): string[] => told(tokens, ANYWHERE[language]);

function told(tokens: Token[], switches: Switch[]): string[] {
  const plain = compact(tokens);
  const full = compact(tokens, true);
  return switches.filter(({ pattern, strings }) => pattern.test(strings ? full : plain)).map(({ message }) => message);
}

const SKIPS = "it can skip tests";
const ENDS = "it can end the test run early";
const PATCHES = "it replaces what tests assert with, or the runner";

const ANYWHERE: Record<Language, Switch[]> = {
  python: [
    {
      pattern: /\bos\._exit\b|\bos\.abort\(|\bos\.kill\(os\.getp|\bos\.killpg\(|\batexit\b|\bpytest\.exit\b|\b_exit\(/,
      message: ENDS,
    },
    { pattern: /\bfaulthandler\b|\bsignal\.(?:signal|alarm|raise_signal)\(/, message: ENDS },
    {
      pattern:
        /\b(?:unittest|pytest|_pytest|pluggy|builtins|__builtins__|TestCase|TestResult|TextTestRunner)\b(?:\.\w+)*(?:\[[^\]]{0,200}\])?=(?!=)/,
      message: PATCHES,
    },
    {
      pattern:
        /\b(?:setattr|delattr|patch|object|setitem)\((?:["']?(?:unittest|pytest|_pytest|pluggy|builtins|__builtins__)\b|\w*\.?TestCase\b)/,
      message: PATCHES,
      strings: true,
    },
    {
      pattern:
        /\bsys\.modules\[[^\]]{0,200}\]=(?!=)|\bsys\.modules\.(?:update|setdefault|pop)\(|\bsys\.meta_path\b|\bl2mac_\w+/,
      message: PATCHES,
    },
    {
      pattern: /\bsys\.(?:settrace|setprofile|excepthook)\b|\b_pytest\b|\bgc\.get_(?:objects|referrers)\b|\bL2MAC_\w+/,
      message: PATCHES,
    },
    { pattern: /\bassert[A-Z]?\w*=(?!=)|\bdef assert[A-Z]\w*\(/, message: PATCHES },
    { pattern: /\bpytest_plugins\b/, message: "it loads plugins into the test run" },
  ],
  javascript: [
    { pattern: /\bprocess\.(?:reallyExit|abort)\b|\bprocess\.kill\(process\.p|\bprocess\[/, message: ENDS },
    { pattern: /\bprocess\.(?:stdout|stderr)\.write=|\bprocess\.(?:emit|on)=|\bprocess\.binding\b/, message: PATCHES },
    {
      pattern: /\b(?:assert|expect|globalThis|global|chai|should|jest|vi)\b(?:\.\w+|\[[^\]]{0,200}\])+=(?![=>])/,
      message: PATCHES,
    },
    { pattern: /\b(?:test|it|describe|suite)\b(?:\.\w+|\[[^\]]{0,200}\])*=(?![=>])/, message: PATCHES },
    // A name of one's own, as good tests have it: what was there before.
    { pattern: /(?<!\b(?:const|let|var) )\b(?:before|after)\b(?:\.\w+|\[[^\]]{0,200}\])*=(?![=>])/, message: PATCHES },
    { pattern: /\b(?:assert|expect)=(?![=>])|\bAssertionError\b(?:\.\w+)+=(?!=)/, message: PATCHES },
    {
      pattern:
        /\b(?:defineProperty|defineProperties|assign|setPrototypeOf|set|deleteProperty|spyOn|method|replaceProperty|stub|replace)\((?:assert|expect|globalThis|global|chai|test|it|describe|process)\b/,
      message: PATCHES,
    },
    {
      pattern:
        /\bexpect\.extend\(|\bLoad(?:er)?Hooks\b|\bregisterHooks\(|\bmodule\.register\(|\bsyncBuiltinESMExports\b/,
      message: PATCHES,
    },
    {
      pattern:
        /\bModule\.(?:_load|_resolveFilename|prototype)\b|\brequire\.cache\b|\brequire\.extensions\b|\bL2MAC_\w+/,
      message: PATCHES,
    },
  ],
  go: [
    { pattern: /\bos\.Exit\(|\bsyscall\.(?:Exit|Kill)\(|\bruntime\.Goexit\(|\blog\.Fatal/, message: ENDS },
    { pattern: /\bfunc TestMain\(/, message: "TestMain decides whether the package's tests run" },
    { pattern: /\bflag\.Set\(|\bos\.Args\b/, message: "it changes how the tests are run" },
  ],
};

const IN_LOCKED: Record<Language, Switch[]> = {
  python: [
    {
      pattern:
        /\bskip(?:_module|Test|If|Unless|if|unless)?\b\(|\.skip\b|@skip|\bimportorskip\b|\bSkipTest\b|\bskip(?:Test|If|Unless|if)\b|\bxfail\b|\bexpectedFailure\b|\bSkipped\b/,
      message: SKIPS,
    },
    { pattern: /\bpytestmark\b|\bcollect_ignore(?:_glob)?\b|\b__test__\b|\b__unittest_skip/, message: SKIPS },
    {
      pattern:
        /\bload_tests\b|\bdef (?:pytest_|__getattr__|__init_subclass__|setUpModule|run\(|debug\(|countTestCases)/,
      message: "it decides which tests are found or how they are run",
    },
    { pattern: /\bsys\.exit\b|\bSystemExit\b|\b(?:quit|exit)\(/, message: ENDS },
    {
      pattern:
        /\bglobals\(\)|\blocals\(\)|\bvars\(\)|\b__dict__\b|\bexec\(|\beval\(|\bcompile\(|\b__builtins__\b|\bbuiltins\b/,
      message: "it can replace names that tests use",
    },
    {
      pattern: /\b(?:getattr|setattr|delattr)\((?:pytest|unittest|sys|os|self|cls|\w*Test\w*)\b/,
      message: "it can replace names that tests use",
    },
    { pattern: /(?:^|[;:\n])del /, message: "it takes names away" },
    { pattern: /\bimport \*|\bimport\*/, message: "it can replace names that tests use" },
  ],
  javascript: [
    { pattern: /\bprocess\.(?:exit|exitCode|kill)\b/, message: ENDS },
    { pattern: /\.(?:skip|skipIf|runIf|todo|only|fails|failing|fixme)\b(?!:)/, message: SKIPS },
    { pattern: /\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext|pending)\(/, message: SKIPS },
    { pattern: /[{,](?:skip|todo|only|fails|expectFailure)[:,}]/, message: SKIPS },
    { pattern: /\b(?:test|it|describe|suite|context|vi|jest|this)\[/, message: SKIPS },
    {
      pattern:
        /\b(?:vi|jest)\.(?:mock|doMock|setMock|unstable_mockModule|setConfig|resetConfig|retryTimes)\(|\bmock\.module\(/,
      message: "it replaces modules under the tests of this file",
    },
    { pattern: /\beval\(|\bnew Function\(|\bFunction\(/, message: "it can replace names that tests use" },
  ],
  go: [
    { pattern: /\.(?:Skip|Skipf|SkipNow)\b/, message: SKIPS },
    { pattern: /\bfunc init\(/, message: "it runs before the tests" },
  ],
};
