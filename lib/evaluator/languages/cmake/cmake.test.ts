import { afterAll, describe, expect, it } from "vitest";
import { evaluation, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { readJunit } from "../../report/junit.ts";
import { findingsIn, lackingIn } from "./build-output.ts";

afterAll(removeFolders);

describe("a report in the form of JUnit", () => {
  it("is cases, with what the failing ones said", () => {
    const text = `<?xml version="1.0"?><testsuite name="x">
      <testcase name="adds" classname="adds" time="0.5" status="run"><system-out>fine</system-out></testcase>
      <testcase name="fails" classname="a.B" time="0"><failure message="1 &lt; 2"><![CDATA[at line 3]]></failure></testcase>
      <testcase name="off" status="disabled"/>
    </testsuite>\n`;
    expect(readJunit(text)).toEqual([
      { name: "adds", status: "passed", seconds: 0.5 },
      { name: "a.B > fails", status: "failed", seconds: 0, message: "1 < 2\nat line 3" },
      { name: "off", status: "skipped" },
    ]);
  });

  it("that is no whole one says nothing", () => {
    expect(readJunit('<testsuite><testcase name="a"/>')).toBeUndefined();
    expect(readJunit("")).toBeUndefined();
  });
});

describe("what compilers and CMake print", () => {
  it("is findings in the project's own files", () => {
    const text =
      "/copy/src/a.c:3:5: error: expected ';'\n/usr/include/b.h:1:1: warning: old [-Wold]\na.c:2:1: warning: x [-Wunused]\n";
    expect(findingsIn(text, "/copy")).toEqual({
      errors: [{ path: "src/a.c", line: 3, column: 5, message: "expected ';'", rule: "compile" }],
      warnings: [{ path: "a.c", line: 2, column: 1, message: "x", rule: "unused" }],
    });
  });

  it("names libraries and tools that are lacking", () => {
    expect(lackingIn("Could NOT find ZLIB (missing: ZLIB_LIBRARY)").packages).toEqual(["ZLIB"]);
    expect(lackingIn("CMake 9.1 or higher is required.  You are running 3").tool).toBe("CMake 9.1");
  });
});

describe.skipIf(!toolchain.tools.cmake)("CMake (needs cmake and a C compiler)", () => {
  const lists = `cmake_minimum_required(VERSION 3.10)\nproject(shop C)\nadd_library(shop src/shop.c)\nadd_executable(check test/check.c)\ntarget_link_libraries(check shop)\n`;
  const judged = (sum: string, more = "enable_testing()\nadd_test(NAME adds COMMAND check)\n") =>
    evaluation(
      {
        "CMakeLists.txt": lists + more,
        "src/shop.c": `int add(int a, int b) { return ${sum}; }\n`,
        "test/check.c": "int add(int, int);\nint main(void) { return add(1, 2) == 3 ? 0 : 1; }\n",
      },
      { syntax: {}, tests: {}, timeoutMs: 110_000 },
    );

  it("compiles and tests, case by case", async () => {
    const verdict = await judged("a + b");
    expect(verdict.syntax).toMatchObject({ status: "passed" });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1, runner: "ctest", cases: [{ name: "adds" }] });
  });

  it("fails where a test fails, and where it does not compile", async () => {
    expect((await judged("a - b")).tests).toMatchObject({ status: "failed", failed: 1 });
    const broken = await judged("a + c");
    expect(broken.syntax).toMatchObject({ status: "failed", errors: [{ path: "src/shop.c", line: 1 }] });
    expect(broken.tests).toMatchObject({ status: "failed", errors: 1 });
  });

  it("is not green without a test, and unknown where a library is lacking", async () => {
    expect((await judged("a + b", "")).tests.status).not.toBe("passed");
    const lacking = await judged("a + b", "find_package(L2macAbsent REQUIRED)\n");
    expect(lacking.syntax).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(lacking.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
  });
});
