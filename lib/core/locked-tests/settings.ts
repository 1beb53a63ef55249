/** Whether a file that decides what tests run was changed so that fewer of them run, or none. Pure. */
import type { Locked, TestChange } from "../locked-tests.ts";
import { choosing } from "./choosing.ts";
import { type Found, partsOf } from "./extended.ts";
import { compact } from "./part.ts";
import { weakenedMakefile } from "./settings-makefile.ts";
import { weakenedManifest } from "./settings-manifest.ts";
import { weakenedPytest } from "./settings-pytest.ts";
import { reachesIn, switchesIn } from "./switches.ts";
import { tokensOf } from "./token.ts";

export function weakenedSetting(change: TestChange, locked: Locked): Found[] {
  const name = change.path.slice(change.path.lastIndexOf("/") + 1);
  if (name === "conftest.py") return weakenedConftest(change);
  if (name === "package.json") return weakenedManifest(change, locked);
  if (/^(?:GNUm|m|M)akefile$/.test(name)) return weakenedMakefile(change);
  if (/\.(?:ini|cfg|toml)$/.test(name)) return weakenedPytest(name, change, locked);
  return weakenedConfig(change);
}

/** Fixtures are for tests; hooks decide about them. What a locked one held is compared as a test file is. */
function weakenedConftest({ before, after }: TestChange): Found[] {
  if (after === undefined) return [];
  const had = new Set(partsOf(before ?? "", "python").map(({ key }) => key));
  return partsOf(after, "python")
    .filter(({ key }) => !had.has(key))
    .flatMap(({ tokens, line, inner = [], parts = [] }) => {
      const all = [...tokens, ...[...inner, ...parts].flatMap((part) => part.tokens)];
      const hooks = HOOKS.test(compact(all)) ? ["it decides which tests are found, or what their results are"] : [];
      // A new one is no locked file, yet what it can skip is locked.
      const found =
        before === undefined
          ? [...switchesIn(all, "python").filter((one) => one !== ENDS_LOADING)]
          : reachesIn(all, "python");
      return [...new Set([...hooks, ...found])].map((message) => ({ line, message }));
    });
}

const HOOKS =
  /\b(?:def |async def )?pytest_(?:collect\w*|ignore_collect|itemcollected|runtest\w*|runtestloop|session\w*|cmdline\w*|load_initial_conftests|configure|unconfigure|addoption|addhooks|plugin_registered|pycollect\w*|pyfunc_call|generate_tests|make_\w+|report_\w+|assertrepr\w*|assertion_pass|exception_interact|terminal_summary|warning_\w+|deselected|fixture_\w+|internalerror|keyboard_interrupt|enter_pdb|leave_pdb)\b|\bcollect_ignore(?:_glob)?\b|\bhookwrapper\b|\bhookimpl\b/;
const ENDS_LOADING = "it can end the test run early";

/** Written in JavaScript or JSON, options are compared; in anything else, all of it. */
function weakenedConfig({ path, before, after }: TestChange): Found[] {
  if (after === undefined) return [{ message: "settings of the tests were deleted" }];
  if (!/\.(?:[cm]?[jt]s|json|jsonc)$/.test(path) && !/rc$/.test(path))
    return before === undefined && !/ignore|exclude|spec|grep|require|\bexit\b/.test(after)
      ? []
      : [{ message: CHANGED }];
  const old = choosing(before ?? "");
  const now = choosing(after);
  const reaching = reachesIn(tokensOf(after, "javascript"), "javascript");
  const opaque = /\bmergeConfig\b|\.\.\.|\bObject\.|process\./.test(after) && before !== after;
  return old.join("\n") !== now.join("\n") || reaching.length > 0 || opaque ? [{ message: CHANGED }] : [];
}

const CHANGED = "settings that decide which tests run, and how, were changed";
