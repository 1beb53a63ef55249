import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, newFolder, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { findingsIn, javacErrorsIn, lackingIn, lackingToolIn, pomErrorsIn } from "./maven-output.ts";
import { repositorySettings } from "./maven-settings.ts";
import { coordinatesIn, marksIn, optionsIn, pomFolders, readablePom, rootsOf } from "./poms.ts";

afterAll(removeFolders);

describe("what Maven prints", () => {
  it("is findings, each once, with what the compiler says below it", () => {
    const line = "[ERROR] /copy/src/A.java:[2,67] cannot find symbol\n";
    const text = `${line}  symbol:   variable c\n  location: class A\n[INFO] 1 error\n${line}[ERROR]   symbol:   variable c\n[WARNING] /copy/src/A.java:[9,1] deprecated\n[ERROR] /home/B.java:[1,1] no\n`;
    expect(findingsIn(text, "/copy")).toEqual({
      errors: [
        {
          path: "src/A.java",
          line: 2,
          column: 67,
          message: "cannot find symbol; symbol:   variable c",
          rule: "compile",
        },
      ],
      warnings: [{ path: "src/A.java", line: 9, column: 1, message: "deprecated", rule: "compile" }],
    });
  });

  it("names a pom that is none", () => {
    const text =
      "[ERROR]   The project  (/copy/pom.xml) has 1 error\n[ERROR]     Non-parseable POM /copy/pom.xml: only whitespace content allowed before start tag and not t (position: START_DOCUMENT seen t... @1:2)  @ line 1, column 2: only whitespace -> [Help 2]\n[FATAL] Non-parseable POM /copy/a/pom.xml: x @ line 3, column 2\n";
    expect(pomErrorsIn(text, "/copy")).toMatchObject([
      { path: "pom.xml", line: 1, rule: "pom" },
      { path: "a/pom.xml", line: 3, rule: "pom" },
    ]);
  });

  it.each([
    [
      "[ERROR] Failed to execute goal on project shop: Could not resolve dependencies for project shop:shop:jar:1.0: The following artifacts could not be resolved: org.absent:absent:jar:1.0, b:c:jar:2: Cannot access central (https://repo) in offline mode",
      ["org.absent:absent:jar:1.0", "b:c:jar:2"],
    ],
    [
      "[ERROR] Plugin a.b:c:1.2 or one of its dependencies could not be resolved: Cannot access central (https://repo) in offline mode and the artifact a.b:c:jar:1.2 has not been downloaded from it before. -> [Help 1]",
      ["a.b:c:jar:1.2"],
    ],
    [
      "[ERROR] 1) org.apache.maven.surefire:surefire-junit3:jar:2.12.4",
      ["org.apache.maven.surefire:surefire-junit3:jar:2.12.4"],
    ],
    [
      "[ERROR] Failed to execute goal a.b:c-maven-plugin:2.28.0:check (default) on project shop: goal failed: Unable to resolve dependencies: Cannot access central (https://repo/maven2) in offline mode and the artifact d.e:f:jar:2.28.0 has not been downloaded from it before. -> [Help 1]",
      ["d.e:f:jar:2.28.0"],
    ],
    ["[ERROR] Error resolving version for plugin 'a:b' from the repositories [local]", ["a:b"]],
    ["[ERROR] There are test failures.", []],
  ])("names packages that are lacking: %s", (text, names) => expect(lackingIn(text)).toEqual(names));

  it.each([
    ["[ERROR] Fatal error compiling: error: release version 99 not supported", "JDK 99"],
    ["[ERROR] Fatal error compiling: error: invalid target release: 21", "JDK 21"],
    ["error: Source option 5 is no longer supported. Use 7 or later.", "a JDK for Java 5"],
    ["Detected Maven Version: 3.8.7 is not in the allowed range [3.9,).", "Maven [3.9,)"],
    ["The plugin a:b:1 requires Maven version 3.9.0", "Maven 3.9.0"],
    ["[ERROR] cannot find symbol", undefined],
  ])("names a tool that is lacking: %s", (text, tool) => expect(lackingToolIn(text)).toBe(tool));
});

describe("what the installer sees of a pom", () => {
  it("is names and versions", () => {
    const text =
      "<project><parent><groupId>p</groupId><artifactId>q</artifactId><version>1</version></parent><!-- <dependency><artifactId>no</artifactId></dependency> --><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId></dependency></dependencies><build><plugins><plugin><artifactId>maven-jar-plugin</artifactId><version>3</version><dependencies><dependency><groupId>d</groupId><artifactId>e</artifactId><version>2</version></dependency></dependencies></plugin></plugins></build></project>";
    expect(coordinatesIn(text)).toEqual(expect.arrayContaining(["p:q:1", "g:a", "d:e:2"]));
    expect(coordinatesIn(text).join()).not.toContain("no");
  });

  it("takes values and profiles of maven.config, and nothing else", () => {
    expect(optionsIn("-Drevision=1.0 -Pfast\n-s evil.xml --global-settings x -Dmaven.repo.local=/x;y -T4")).toEqual([
      "-Drevision=1.0",
      "-Pfast",
      "-Dmaven.repo.local=/x;y",
    ]);
  });

  it("has no packaging that an extension would have to explain", () => {
    expect(readablePom("<packaging>bundle</packaging>")).toBe("<packaging>jar</packaging>");
    expect(readablePom("<packaging> pom </packaging>")).toBe("<packaging> pom </packaging>");
  });

  it("is of the project, not of its test data", () => {
    const files = [
      "a/pom.xml",
      "a/b/pom.xml",
      "src/it/x/pom.xml",
      "a/target/pom.xml",
      "c/pom.xml",
      "a/src/main/java/X.java",
    ];
    expect(rootsOf(pomFolders({ files }))).toEqual(["a", "c"]);
    expect(marksIn({ files: [...files, "src/site/profile.jacoco"] })).toContain("a/src/main/java/");
  });
});

it("asks the user's mirror, with its credentials", () => {
  const home = newFolder();
  const settings = `<settings><mirrors><!-- <mirror><url>no</url></mirror> --><mirror><id>own</id><mirrorOf>*</mirrorOf><url>https://packages.example/maven</url></mirror></mirrors><servers><server><id>own</id><username>u</username><password>\${env.SECRET}</password></server></servers></settings>`;
  expect(repositorySettings({ HOME: home })).toEqual({});
  const folder = join(home, ".m2");
  mkdirSync(folder);
  writeFileSync(join(folder, "settings.xml"), settings);
  expect(repositorySettings({ HOME: home, SECRET: "p" })).toEqual({
    MAVEN_REPOSITORY: "https://packages.example/maven",
    MAVEN_REPOSITORY_USER: "u",
    MAVEN_REPOSITORY_PASSWORD: "p",
  });
});

describe("errors of javac", () => {
  it("have their place", () =>
    expect(javacErrorsIn("./a/B.java:2: error: ';' expected\nclass B\n")).toEqual([
      { path: "a/B.java", line: 2, message: "';' expected", rule: "syntax" },
    ]));
});

describe.skipIf(!toolchain.tools.javac)("Java without a build (needs a JDK)", () => {
  const judged = (files: Files) => evaluation(files, { syntax: {}, tests: {}, timeoutMs: 110_000 });
  const main = (body: string): Files => ({
    "src/shop/Main.java": `package shop;\npublic class Main { public static void main(String[] all) { ${body} } }\n`,
    "src/shop/Sum.java": "package shop;\nclass Sum { static int add(int a, int b) { return a + b; } }\n",
  });

  it("is compiled as a whole", async () => {
    expect((await judged(main("int sum = Sum.add(1, 2);"))).syntax).toMatchObject({ status: "passed" });
    const broken = await judged(main("String sum = Sum.add(1, 2);"));
    expect(broken.syntax).toMatchObject({ status: "failed", errors: [{ path: "src/shop/Main.java", line: 2 }] });
    expect((await judged(main("Sum.add(1, 2"))).syntax).toMatchObject({ status: "failed" });
  });

  it("is unknown where it needs a package, and parsed where programs do not belong together", async () => {
    const lacking = await judged({ "A.java": "import absent.Thing;\nclass A { Thing thing; }\n" });
    expect(lacking.syntax).toMatchObject({ status: "not_run", reason: "package_missing" });
    const two = await judged({ "a/Main.java": "class Main { }\n", "b/Main.java": "class Main { }\n" });
    expect(two.syntax).toMatchObject({ status: "passed" });
  });

  it("is unchecked where Gradle builds it", async () => {
    const verdict = await judged({ ...main(""), "build.gradle": "plugins { id 'java' }\n" });
    expect(verdict.syntax).toMatchObject({ status: "passed" });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "no_toolchain" });
  });
});

describe.skipIf(!toolchain.tools.javac)("Maven", () => {
  const failed =
    "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project shop: ";
  const report = (inner: string, close = "</testsuite>") =>
    `<testsuite name="SumTest"><testcase name="adds" classname="SumTest" time="0.1">${inner}</testcase>${close}`;

  /** A double in Maven's place, which compiles whatever it sees and prints what it is given for the tests. */
  async function judged(printed: string, exit: number, files: Files = {}) {
    const program = join(newFolder(), "mvn");
    const lines = [
      "#!/bin/sh",
      'case "$*" in *--offline*) ;; *) exit 9 ;; esac',
      'case "$*" in *test-compile*) echo "[INFO] BUILD SUCCESS"; exit 0 ;; esac',
      "mkdir -p target/surefire-reports",
      "[ -e report.xml ] && cp report.xml target/surefire-reports/TEST-SumTest.xml",
      "cat printed.txt",
      `exit ${exit}`,
    ];
    writeFileSync(program, `${lines.join("\n")}\n`);
    chmodSync(program, 0o755);
    const tools = { ...toolchain.tools, mvn: { program, readable: [] } };
    const tree = {
      "pom.xml": "<project/>",
      "src/test/java/SumTest.java": "class SumTest { }\n",
      "printed.txt": printed,
    };
    const asked = { syntax: {}, tests: {}, timeoutMs: 60_000 };
    return (await evaluation({ ...tree, ...files }, asked, { toolchain: { ...toolchain, tools } })).tests;
  }

  it("counts the cases of its reports", async () => {
    const tests = await judged("[INFO] BUILD SUCCESS\n", 0, { "report.xml": report("") });
    expect(tests).toMatchObject({
      status: "passed",
      passed: 1,
      runner: "mvn test",
      cases: [{ name: "SumTest > adds" }],
    });
    const text = `[INFO] BUILD FAILURE\n${failed}There are test failures.\n`;
    const silent = `[INFO] BUILD FAILURE\n${failed}\n[ERROR] \n[ERROR] Please refer to target/surefire-reports for the individual test results.\n`;
    const thrown = await judged(silent, 1, { "report.xml": report('<error message="no"/>') });
    expect(thrown).toMatchObject({ status: "failed", failed: 0, errors: 1 });
    const red = await judged(text, 1, { "report.xml": report('<failure message="no"/>') });
    expect(red).toMatchObject({ status: "failed", failed: 1, errors: 0 });
  });

  it("believes no report that came with the tree", async () => {
    const stale = { "target/surefire-reports/TEST-SumTest.xml": report("") };
    const tests = await judged("[INFO] BUILD SUCCESS\n", 0, stale);
    expect(tests.status).toBe("not_found");
    const other = { "target/surefire-reports/junitreports/TEST-SumTest.xml": report("") };
    expect((await judged("[INFO] BUILD SUCCESS\n", 0, other)).status).toBe("not_found");
    expect(tests.output).toContain("Maven ran none of the tests");
  });

  it("is no green where it failed without a failing case, or ended too early", async () => {
    const exit = `[INFO] BUILD FAILURE\n${failed}\n[ERROR] The forked VM terminated without properly saying goodbye.\n`;
    expect((await judged(exit, 1, { "report.xml": report("") })).status).toBe("crashed");
    expect((await judged("[INFO] Running SumTest\n", 0, { "report.xml": report("") })).status).toBe("crashed");
    expect((await judged("[INFO] BUILD SUCCESS\n", 0, { "report.xml": report("", "") })).status).toBe("crashed");
    const text = `[INFO] BUILD FAILURE\n${failed}There are test failures.\n`;
    expect((await judged(text, 1, { "report.xml": report("") })).status).toBe("failed");
  });

  it("fails where the build does, and is unknown where something is lacking", async () => {
    const broken =
      "[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal a:checkstyle:1:check (validate) on project shop: You have 1 violation\n";
    expect(await judged(broken, 1, { "report.xml": report("") })).toMatchObject({ status: "failed", errors: 1 });
    const lacking =
      "[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal on project shop: Could not resolve dependencies for project s:s:jar:1: The following artifacts could not be resolved: a:b:jar:1: Cannot access central in offline mode\n";
    expect(await judged(lacking, 1)).toMatchObject({ status: "not_run", reason: "package_missing" });
  });
});
