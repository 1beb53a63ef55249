/** What an ini, cfg or toml file says to pytest. Only that part counts. Pure. */
import type { Locked, TestChange } from "../locked-tests.ts";
import type { TestFinding } from "./extended.ts";
import { settingsIn } from "./settings-sections.ts";

/** They change nothing about which tests run and what their results are. */
const HARMLESS =
  /^(?:markers|minversion|filterwarnings|log_\w+|console_output_style|cache_dir|pythonpath|asyncio_\w+|anyio_mode|xfail_strict|strict\w*|required_plugins|tmp_path_\w+|junit_\w+|verbosity_\w+|faulthandler_timeout|env|timeout\w*|django_settings_module|DJANGO_SETTINGS_MODULE|enable_assertion_pass_hook|empty_parameter_set_mark|doctest_\w+|truncation_\w+)$/;
const OPTION =
  /^(?:-[vqsl]+|-r\w*|--verbose|--quiet|--tb=\w+|--color=\w+|--strict(?:-markers|-config)?|--showlocals|--durations(?:-min)?=[\d.]+|--cov(?:=[\w./-]+)?|--cov-(?:report|branch|config)(?:=\S+)?|--import-mode=\w+|--asyncio-mode=\w+|-n ?\w+|--disable-warnings|--doctest-modules|--capture=\w+|--junitxml=\S+|--no-header|--no-summary|--cache-clear|-W ?\S+|-p no:cacheprovider)$/;
const USUAL: Record<string, string[]> = {
  python_files: ["test_*.py", "*_test.py"],
  python_classes: ["Test"],
  python_functions: ["test"],
};

export function weakenedPytest(name: string, { before, after }: TestChange, { tests }: Locked): TestFinding[] {
  const old = settingsIn(name, before ?? "");
  const now = settingsIn(name, after ?? "");
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].flatMap((key) => {
    const change = { key, old: old.get(key), now: now.get(key) };
    return change.old === change.now || isHarmless(change, tests)
      ? []
      : [
          {
            message: `the setting ${key} of pytest was ${change.old === undefined ? "added" : "changed"}: it decides which tests run`,
          },
        ];
  });
}

interface IniEntry {
  key: string;
  old: string | undefined;
  now: string | undefined;
}

function isHarmless({ key, old, now }: IniEntry, tests: Locked["tests"]): boolean {
  if (HARMLESS.test(key)) return !/\bignore\b[^\n]*Assert|PytestUnraisable/.test(now ?? "") || key !== "filterwarnings";
  const had = words(old);
  const has = words(now);
  const present = new Set(has);
  const grows = has.length > 0 && had.every((word) => present.has(word));
  if (key === "testpaths") {
    if (has.length === 0) return old !== undefined; // It looks everywhere again.
    return (
      (old !== undefined && grows) ||
      (old === undefined && tests !== undefined && tests.every((test) => has.some((place) => lies(test, place))))
    );
  }
  if (key in USUAL) return now === undefined ? isUsual(key, had) : grows && (old !== undefined || isUsual(key, has));
  if (key === "addopts")
    return (
      optionsOf(has).every((option) => OPTION.test(option) || had.includes(option)) &&
      optionsOf(had).every((option) => OPTION.test(option) || has.includes(option))
    );
  return false;
}

const isUsual = (key: string, has: string[]): boolean =>
  (USUAL[key] ?? []).every((word) => has.includes(word) || has.includes(`${word}*`) || has.includes(`${word}_*`));

const lies = (test: string, place: string): boolean => {
  const folder = place.replace(/^\.\//, "").replace(/\/$/, "");
  return folder === "." || folder === "" || test === folder || test.startsWith(`${folder}/`);
};

/** Lists are written with spaces, lines or as arrays. */
const words = (value: string | undefined): string[] => (value ?? "").split(/[\s,[\]"']+/).filter((word) => word !== "");

/** Options whose value is a word of its own stay with it. */
const optionsOf = (has: string[]): string[] =>
  has.flatMap((word, at) =>
    /^-[npWkmc]$/.test(has[at - 1] ?? "") ? [] : /^-[npWkmc]$/.test(word) ? [`${word} ${has[at + 1] ?? ""}`] : [word],
  );
