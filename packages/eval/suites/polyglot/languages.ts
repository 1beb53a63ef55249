/** How the tests of an exercise are run in each language, with nothing but what the language brings. */
import { readFileSync } from "node:fs";
import { projectFile } from "../../../../lib/files/project-files.ts";
import type { Files } from "../../suite.ts";
import { JAVA_ANNOTATIONS } from "./java-annotations.ts";
import type { Exercise } from "./track.ts";

/** What the checker of exercises does. `<work>` and `<shared>` are folders of it. */
export interface TestRun {
  /** Beside the solution: the tests and what runs them. They replace what a solution has of the same name. */
  files: Files;
  /** Compiled once for all solutions. */
  shared?: { name: string; files: Files; compile: string[][] };
  compile: string[][];
  run: string[];
  /** Follows the key. */
  stdin: string;
}

export interface ExerciseLanguage {
  title: string;
  /** Absent: exercises of it are left out. */
  programs: string[];
  /** A folder of which all files are taken; else those that the track names. */
  all?: string;
  /** Of files that a model does not see. */
  isTest: RegExp;
  plan(exercise: Exercise): TestRun;
}

const harness = (name: string): string => readFileSync(projectFile(`packages/eval/checkers/harness/${name}`), "utf8");
const FIRST_WORD = /^package (\w+)/m;
const namesOf = ({ tests }: Exercise, pattern: RegExp): string[] =>
  Object.keys(tests).filter((path) => pattern.test(path));

const python: ExerciseLanguage = {
  title: "Python 3",
  programs: ["python3"],
  isTest: /_test\.py$/,
  plan(exercise) {
    const names = namesOf(exercise, /_test\.py$/);
    const rest = Object.entries(exercise.tests).filter(([path]) => !names.includes(path));
    const tests = Object.fromEntries(names.map((path) => [path.slice(0, -3), exercise.tests[path] ?? ""]));
    return {
      files: Object.fromEntries(rest),
      compile: [],
      run: ["python3", "-I", "-B", "-c", harness("unittests.py")],
      stdin: JSON.stringify({ tests }),
    };
  },
};

const javascript: ExerciseLanguage = {
  title: "JavaScript (ES modules for Node)",
  programs: ["node"],
  isTest: /\.spec\.js$/,
  plan(exercise) {
    const names = namesOf(exercise, /\.spec\.js$/);
    const files = Object.entries(exercise.tests).map(([path, text]) => [path, forNode(text)]);
    const steps = names.map((path) => `await import("./${path}");`).join("");
    return {
      files: {
        ...Object.fromEntries(files),
        "package.json": '{"type":"module"}',
        "jest-of-tests.mjs": harness("jest.mjs"),
        "run-tests.mjs": `import { runTests } from "./jest-of-tests.mjs";${steps}await runTests();`,
      },
      compile: [],
      run: ["node", "--permission", "--allow-fs-read=<work>", "run-tests.mjs"],
      stdin: "",
    };
  },
};

/** Node's modules are named with their endings. */
const forNode = (text: string): string =>
  text
    .replace(/from (['"])@jest\/globals\1/g, "from './jest-of-tests.mjs'")
    .replace(/from (['"])(\.\.?\/[\w./-]*?)(?:\.js)?\1/g, (whole, quote, path) =>
      path.endsWith(".mjs") ? whole : `from ${quote}${path}.js${quote}`,
    );

const go: ExerciseLanguage = {
  title: "Go",
  programs: ["go"],
  isTest: /_test\.go$/,
  plan(exercise) {
    const [first = ""] = namesOf(exercise, /_test\.go$/);
    const name = FIRST_WORD.exec(exercise.tests[first] ?? "")?.[1] ?? "exercise";
    return {
      files: {
        ...exercise.tests,
        "go.mod": "module exercise\n\ngo 1.22\n",
        "zz_main_test.go": GO_MAIN.replace("NAME", name),
      },
      compile: [["go", "test", "-c", "-vet=off", "-o", "<work>/tests.bin", "."]],
      run: ["<work>/tests.bin"],
      stdin: "",
    };
  },
};

const GO_MAIN = `package NAME

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	key, _ := bufio.NewReader(os.Stdin).ReadString('\\n')
	code := m.Run()
	if code == 0 {
		fmt.Printf("\\n%s passed\\n", strings.TrimSpace(key))
	}
	os.Exit(code)
}
`;

const rust: ExerciseLanguage = {
  title: "Rust",
  programs: ["rustc", "cc"],
  isTest: /^tests\//,
  plan(exercise) {
    const [first = ""] = namesOf(exercise, /^tests\/.*\.rs$/);
    const crate = USED_CRATE.exec(exercise.tests[first] ?? "")?.[1] ?? exercise.name.replaceAll("-", "_");
    const flags = ["--edition", "2021", "--cap-lints", "allow"];
    return {
      files: { ...exercise.tests, [first]: `${exercise.tests[first]}\n${RUST_LAST}` },
      compile: [
        ["rustc", ...flags, "--crate-type", "lib", "--crate-name", crate, "src/lib.rs"],
        ["rustc", ...flags, "--test", first, "-L", ".", "--extern", `${crate}=lib${crate}.rlib`, "-o", "tests.bin"],
      ],
      run: ["<work>/tests.bin", "--include-ignored", "--test-threads=1", "--nocapture"],
      stdin: "",
    };
  },
};

/** By the name that the tests use. */
const USED_CRATE = /^use (?!std\b|core\b)(\w+)/m;

/** Tests are run in the order of their names. */
const RUST_LAST = `
#[test]
fn zzzz_last() {
    let mut key = String::new();
    std::io::stdin().read_line(&mut key).unwrap();
    println!("\\n{} passed", key.trim());
}
`;

const cpp: ExerciseLanguage = {
  title: "C++17",
  programs: ["g++"],
  isTest: /_test\.cpp$|^test\//,
  plan: (exercise) => ({
    files: {
      ...exercise.tests,
      "test/catch.hpp": harness("catch.hpp"),
      "test/tests-main.cpp": harness("tests-main.cpp"),
    },
    compile: [
      ["sh", "-c", `g++ -std=c++17 -O0 -w -DEXERCISM_RUN_ALL_TESTS -I. -o tests.bin *.cpp test/tests-main.cpp`],
    ],
    run: ["<work>/tests.bin"],
    stdin: "",
  }),
};

const java: ExerciseLanguage = {
  title: "Java 17",
  programs: ["javac", "java"],
  all: "src/main/java",
  isTest: /^src\/test\//,
  plan(exercise) {
    const tests = namesOf(exercise, /^src\/test\/java\/\w+Test\.java$/);
    const path = "<shared>/classes";
    return {
      files: exercise.tests,
      shared: {
        name: "java",
        files: javaHarness(),
        compile: [["sh", "-c", `${JAVAC} -d classes *.java */*.java */*/*.java`]],
      },
      compile: [["sh", "-c", `${JAVAC} -cp ${path} -d classes src/main/java/*.java src/test/java/*.java`]],
      run: ["java", ...JVM, "-cp", `${path}:<work>/classes`, "harness.RunTests", ...tests.map(classOf)],
      stdin: "",
    };
  },
};

const classOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1, -".java".length);
const JVM = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx512m"];
const JAVAC = `javac ${JVM.slice(0, 2)
  .map((flag) => `-J${flag}`)
  .join(" ")} -nowarn -proc:none -encoding UTF-8`;

function javaHarness(): Files {
  const jupiter = harness("java/Jupiter.java");
  return {
    ...JAVA_ANNOTATIONS,
    "Assertions.java": harness("java/Assertions.java"),
    "Assert.java": harness("java/Assert.java"),
    "RunTests.java": harness("java/RunTests.java"),
    "jupiter/Assertions.java": jupiter,
    "junit/Assert.java": jupiter
      .replace("package org.junit.jupiter.api", "package org.junit")
      .replace("class Assertions", "class Assert"),
  };
}

/** By the names of their tracks. */
export const LANGUAGES: Readonly<Record<string, ExerciseLanguage>> = { python, javascript, go, rust, cpp, java };
