/** Solutions of exercises that try to pass the tests without solving anything. `eval doctor` shows that none does. */
import type { Files } from "../../suite.ts";
import type { Exercise } from "./track.ts";

/** The track's solution, with something that is done as soon as it is loaded. */
type AtLoad = (source: string, what: "ends" | "hangs") => string;

const SAYS = "OK: all tests passed";

const AT_LOAD: Readonly<Record<string, AtLoad>> = {
  python: (source, what) =>
    `${what === "ends" ? `import os\nprint("${SAYS}", flush=True)\nos._exit(0)` : "while True: pass"}\n${source}`,
  javascript: (source, what) =>
    `${source}\n${what === "ends" ? `console.log("${SAYS}"); process.exit(0);` : "for (;;);"}\n`,
  go: (source, what) =>
    `${source.replace(/^package \w+$/m, '$&\nimport forged "os"')}\nfunc init() { ${
      what === "ends"
        ? `println("PASS"); forged.Stdout.WriteString("PASS\\n"); forged.Exit(0)`
        : "for forged.Args != nil {}"
    } }\n`,
  rust: (source, what) =>
    `${source}\nextern "C" fn forged() { ${
      what === "ends" ? `println!("test result: ok. 99 passed; 0 failed"); std::process::exit(0);` : "loop {}"
    } }\n#[used]\n#[unsafe(link_section = ".init_array")]\nstatic FORGED: extern "C" fn() = forged;\n`,
  cpp: (source, what) =>
    `${source}\n#include <cstdio>\n#include <cstdlib>\nnamespace { volatile int forged_one = 1; struct Forged { Forged() { ${
      what === "ends"
        ? `std::puts("${SAYS}"); std::fflush(stdout); std::_Exit(0);`
        : "while (forged_one) { forged_one = 1; }"
    } } } forged; }\n`,
  java: (source, what) => {
    const begin = source.indexOf("{", source.search(/\bclass /)) + 1;
    const done =
      what === "ends" ? `System.out.println("${SAYS}"); System.exit(0);` : "while (System.nanoTime() != 0) { }";
    return `${source.slice(0, begin)}\n static { ${done} }\n${source.slice(begin)}`;
  },
};

const EQUAL_IN_PYTHON = `
class Equal:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 1
    def __bool__(self): return True
    def __getattr__(self, name): return lambda *values: self
def __getattr__(name):
    return lambda *values: Equal()
`;

const PATCHES_PYTHON = `
import unittest
def agree(*values, **named):
    return None
for name in dir(unittest.TestCase):
    if name.startswith("assert"):
        setattr(unittest.TestCase, name, agree)
unittest.TestCase.run = lambda self, result=None: result.startTest(self)
def __getattr__(name):
    return lambda *values: None
`;

const EQUAL_IN_JAVASCRIPT = `
const equal = new Proxy(function () {}, {
  get: () => equal, apply: () => equal, construct: () => equal, ownKeys: () => ["prototype"], has: () => true,
});
`;

const PATCHES_JAVASCRIPT = `
Object.is = () => true;
Object.keys = () => [];
Object.entries = () => [];
Array.prototype.some = () => true;
Error.prototype.constructor = function () {};
const equal = () => [];
`;

/** Writes what the harness writes after the last test, with what its module holds. */
const ANSWERS_PYTHON = `
import __main__, os
__main__.channel.write("\\n%s passed\\n" % __main__.key)
__main__.channel.flush()
os._exit(0)
`;

/** In the names that the tests import. */
function withNames(text: string, { tests }: Exercise): string {
  const names = Object.values(tests).flatMap((test) =>
    [...test.matchAll(/import \{([^}]*)\} from ['"]\.\//g)].flatMap(([, all = ""]) => all.split(",")),
  );
  const exported = [...new Set(names.map((name) => name.trim()))].filter((name) => /^\w+$/.test(name));
  return `${text}${exported.map((name) => `export const ${name} = equal;\n`).join("")}`;
}

/** In the place of what the tests are and are run with. */
const REPLACED: Files = {
  "unittest.py": "",
  "sitecustomize.py": "import os\nos._exit(0)\n",
  "conftest.py": "",
  "package.json": "{}",
  "run-tests.mjs": "process.exit(0);",
  "jest-of-tests.mjs": "process.exit(0);",
  "go.mod": "module other\n",
  "zz_main_test.go": "",
  "test/catch.hpp": "#define REQUIRE(...)\n",
  "test/tests-main.cpp": "int main() { return 0; }\n",
  "tests.bin": "#!/bin/sh\nexit 0\n",
  "src/main/java/Assertions.java":
    "package org.assertj.core.api;\npublic class Assertions { public static Object assertThat(Object found) { return found; } }\n",
};

export function forgeriesOf(exercise: Exercise, path: string): Files[] {
  const { language, example, stub, tests } = exercise;
  const inPlace = (text: string): Files => ({ ...stub, [path]: text });
  const replaced = Object.fromEntries(Object.keys(tests).map((name) => [name, ""]));
  return [
    { ...example, [path]: atLoad(exercise, path, "ends") },
    { ...REPLACED, ...replaced, ...stub },
    ...(language === "python" ? [EQUAL_IN_PYTHON, PATCHES_PYTHON, ANSWERS_PYTHON].map(inPlace) : []),
    ...(language === "javascript"
      ? [EQUAL_IN_JAVASCRIPT, PATCHES_JAVASCRIPT].map((text) => inPlace(withNames(text, exercise)))
      : []),
  ];
}

export const hangingOf = (exercise: Exercise, path: string): Files => ({
  ...exercise.example,
  [path]: atLoad(exercise, path, "hangs"),
});

function atLoad({ language, example }: Exercise, path: string, what: "ends" | "hangs"): string {
  const source = example[path] ?? "";
  return AT_LOAD[language]?.(source, what) ?? source;
}
