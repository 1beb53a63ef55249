/** Given tests in Go, Rust and Java with tests of ours among them that must fail: they show that these files are what runs. Pure. */
import { codeOf, type NamedTest, namedIn } from "./compiled-names.ts";
import type { ScriptFile } from "./script-runner.ts";

export interface CompiledPart {
  laid: ScriptFile[];
  /** Our tests, with the given file that each is for. */
  within: NamedTest[];
  named: NamedTest[];
}

/** A text: why they cannot be run so. `id` is in no text that the run can read. */
export function compiledPart(tests: ScriptFile[], id: string): CompiledPart | string {
  const parts = tests.map((test, at) => partOf(test, `${id}${at}`));
  const [problem] = parts.flatMap((part, at) => (part ? [] : [tests[at]?.path]));
  if (problem !== undefined) return `where its tests begin is not plain in ${problem}`;
  const made = parts.flatMap((part, at) => (part ? [{ ...part, path: tests[at]?.path ?? "" }] : []));
  return {
    laid: made.map(({ file }) => file),
    within: made.map(({ path, name }) => ({ path, name })),
    named: tests.flatMap(namedIn),
  };
}

interface Canary {
  name: string;
  file: ScriptFile;
}

function partOf(test: ScriptFile, id: string): Canary | undefined {
  if (test.path.endsWith(".go")) return goCanary(test, id);
  return test.path.endsWith(".rs") ? rustCanary(test, id) : javaCanary(test, id);
}

/** A file of the same package: what the given one imports under which name does not matter. */
function goCanary(test: ScriptFile, id: string): Canary | undefined {
  const name = `TestMustFail${id}`;
  const owner = /(?:^|;) package (\w+)/.exec(codeOf(test))?.[1];
  if (!owner) return undefined;
  const text = `package ${owner}\n\nimport "testing"\n\nfunc ${name}(t *testing.T) {\n\tt.Fatal("it must fail")\n}\n`;
  return { name, file: { path: `${test.path.slice(0, test.path.lastIndexOf("/") + 1)}zz_${id}_test.go`, text } };
}

/** In the file itself: another file in its place would not have it. Its name is the last, so that a test that ends the program ends it before. */
function rustCanary({ path, text }: ScriptFile, id: string): Canary {
  const name = `zzzz_must_fail_${id}`;
  return { name, file: { path, text: `${text}\n#[test]\nfn ${name}() {\n    panic!("it must fail");\n}\n` } };
}

/** At the beginning of the class that the file is named after. */
function javaCanary(test: ScriptFile, id: string): Canary | undefined {
  const { path, text } = test;
  const owner = path.slice(path.lastIndexOf("/") + 1, -".java".length);
  const begin = new RegExp(`^(?:(?:public|final) )*class ${owner}\\b[^{}"';@]*\\{`, "m").exec(text);
  if (!begin) return undefined;
  const name = `testMustFail${id}`;
  const [, mark = ""] = JAVA_TESTS.find(([pattern]) => pattern.test(codeOf(test))) ?? [];
  const body = `\n    ${mark}public void ${name}() {\n        throw new AssertionError("it must fail");\n    }\n`;
  const at = begin.index + begin[0].length;
  return { name, file: { path, text: text.slice(0, at) + body + text.slice(at) } };
}

const JAVA_TESTS: [RegExp, string][] = [
  [/\borg \. junit \. jupiter\b/, "@org.junit.jupiter.api.Test\n    "],
  [/\borg \. testng\b/, "@org.testng.annotations.Test\n    "],
  [/\borg \. junit \. (?:Test|\*)/, "@org.junit.Test\n    "],
];
