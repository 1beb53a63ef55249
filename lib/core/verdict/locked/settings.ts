/** Whether a file that decides what tests run was changed so that fewer of them run, or none. Pure. */
import type { Locked, TestChange } from "../locked-tests.ts";
import { partsOf, type TestFinding } from "./extended.ts";
import { ownOf } from "./foreign-assignments.ts";
import { reaching } from "./load-time-effects.ts";
import { chosen } from "./runner-options.ts";
import { weakenedMakefile } from "./settings-makefile.ts";
import { weakenedManifest } from "./settings-manifest.ts";
import { weakenedPytest } from "./settings-pytest.ts";
import { reachesIn } from "./switches.ts";
import { compact, type Part } from "./test-part.ts";
import { tokensOf } from "./token.ts";

export function weakenedSetting(change: TestChange, locked: Locked): TestFinding[] {
  const name = change.path.slice(change.path.lastIndexOf("/") + 1);
  if (name === "conftest.py") return weakenedConftest(change);
  if (name === "package.json") return weakenedManifest(change, locked);
  if (name === ".npmrc") return weakenedNpm(change);
  if (/^(?:GNUm|m|M)akefile$/.test(name)) return weakenedMakefile(change);
  if (/\.(?:ini|cfg|toml)$/.test(name)) return weakenedPytest(name, change, locked);
  return weakenedConfig(change, locked);
}

/** What runs the scripts of package.json, and with what options. */
function weakenedNpm({ before = "", after = "" }: TestChange): TestFinding[] {
  const [old, now] = [before, after].map((text) =>
    text.match(/^[ \t]*(?:script-shell|node-options|shell|prefix)\b.*$/gm)?.join("\n"),
  );
  return old === now ? [] : [{ message: "how npm runs scripts, that of the tests among them, was changed" }];
}

/** Fixtures are for tests; hooks decide about them. What a locked one held is compared as a test file is. */
function weakenedConftest({ before, after }: TestChange): TestFinding[] {
  if (after === undefined) return [];
  const had = new Set(partsOf(before ?? "", "python").map(({ key }) => key));
  const parts = partsOf(after, "python");
  const where = { language: "python", shared: true, inClass: false, own: ownOf(parts) } as const;
  const found: TestFinding[] = [];
  const pending = parts.filter(({ key }) => !had.has(key));
  for (let part = pending.pop(); part; part = pending.pop()) {
    const { line } = part;
    const messages = decides(part) ? ["it decides which tests are found, or what their results are"] : [];
    // A locked one is looked at as a test file, too.
    if (before === undefined && messages.length === 0) messages.push(...reaching(part, where));
    for (const message of new Set(messages)) found.push({ line, message });
    for (const within of [...(part.inner ?? []), ...(part.parts ?? [])]) pending.push(within);
  }
  return found.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

function decides(part: Part): boolean {
  const code = compact(part.tokens);
  if (/^pytest_(?:addoption|report_header)$/.test(part.binds[0] ?? "")) return false;
  if (!/^pytest_(?:un)?configure$/.test(part.binds[0] ?? "")) return HOOKS.test(code);
  return DECIDING.test(code);
}

/** In a hook that prepares the run: what is more than a marker or a thing of its own. */
const DECIDING =
  /\bconfig\.(?:option|args|known_args\w*|pluginmanager|hook|_\w+|invocation_params)\b|\bos\._exit\b|\bexit\(|\bsetattr\(|\bhookwrapper\b/;

const HOOKS =
  /\b(?:def |async def )?pytest_(?:collect\w*|ignore_collect|itemcollected|runtest\w*|runtestloop|session\w*|cmdline\w*|load_initial_conftests|configure|unconfigure|addoption|addhooks|plugin_registered|pycollect\w*|pyfunc_call|generate_tests|make_\w+|report_\w+|assertrepr\w*|assertion_pass|exception_interact|terminal_summary|warning_\w+|deselected|fixture_\w+|internalerror|keyboard_interrupt|enter_pdb|leave_pdb)\b|\bcollect_ignore(?:_glob)?\b|\bhookwrapper\b|\bhookimpl\b/;

/** Written in JavaScript or JSON, options are compared; in anything else, all of it. */
function weakenedConfig({ path, before, after }: TestChange, { tests }: Locked): TestFinding[] {
  if (after === undefined) return [{ message: "settings of the tests were deleted" }];
  if (!/\.(?:[cm]?[jt]s|json|jsonc)$/.test(path) && !/rc$/.test(path))
    return before === undefined && !/ignore|exclude|spec|grep|require|\bexit\b/.test(after)
      ? []
      : [{ message: CHANGED }];
  const reached = reachesIn(tokensOf(after, "javascript"), "javascript");
  const opaque = before !== undefined && before !== after && counted(after) > counted(before);
  return chosen(before, after, tests) || reached.length > 0 || opaque ? [{ message: CHANGED }] : [];
}

/** Places where options come from elsewhere. */
const counted = (text: string): number => text.match(/\bmergeConfig\b|\.\.\.|\bObject\./g)?.length ?? 0;

const CHANGED = "settings that decide which tests run, and how, were changed";
