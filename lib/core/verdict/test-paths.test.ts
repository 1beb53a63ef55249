import { describe, expect, it } from "vitest";
import { isTestPath, isTestSetting } from "./test-paths.ts";

describe("paths", () => {
  it("of tests and of what lies beside them", () => {
    const tests = [
      "test_a.py",
      "a/b_test.py",
      "tests.py",
      "a.test.ts",
      "b.spec.jsx",
      "test/a.js",
      "__tests__/a.ts",
      "a_test.go",
      "spec/a_spec.rb",
      "tests/conftest.py",
      "conftest.py",
      "tests/data/a.csv",
      "src/test/java/ATest.java",
      "FooTest.java",
    ];
    for (const path of tests) expect([path, isTestPath(path)]).toEqual([path, true]);
    for (const path of [
      "calc.py",
      "latest.py",
      "contest.js",
      "testing.py",
      "src/attest.ts",
      "greatest.go",
      "README.md",
    ])
      expect([path, isTestPath(path)]).toEqual([path, false]);
  });
  it("of settings", () => {
    const settings = [
      "conftest.py",
      "a/conftest.py",
      "pytest.ini",
      ".pytest.ini",
      "tox.ini",
      "setup.cfg",
      "pyproject.toml",
      "package.json",
      "vitest.config.mts",
      "jest.config.js",
      ".mocharc.yml",
      "sitecustomize.py",
      "a/usercustomize.py",
      "Makefile",
      "x.pth",
      "pytest.py",
      "unittest/mock.py",
      "node_modules/a/b.js",
    ];
    for (const path of settings) expect([path, isTestSetting(path)]).toEqual([path, true]);
    for (const path of ["calc.py", "tsconfig.json", "app/unittest.py", "setup.py", "a.ini"])
      expect([path, isTestSetting(path)]).toEqual([path, false]);
  });
});
