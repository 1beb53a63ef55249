/** Projects in languages that nothing here knows, with a check that they declare themselves. */
import { healthy, lines, type Project } from "./project.ts";

const code = { "main.zz": "", "core.f90": "end program\n", "main.hs": "main = pure ()\n" };
const declared = (tests: Project["label"]["tests"], counts: [number, number, number, number]): Project["label"] => ({
  syntax: "not_run: no_toolchain",
  tests,
  counts,
});

export const declaredProjects: Project[] = [
  {
    name: "declared: make test passes",
    kind: "other",
    needs: "make",
    files: { ...code, Makefile: lines(".PHONY: test", "test: build", "\ttest -f built", "build:", "\ttouch built") },
    label: declared("passed", [1, 0, 0, 0]),
  },
  {
    name: "declared: make check fails",
    kind: "other",
    needs: "make",
    files: { ...code, Makefile: lines("check:", "\t@echo one is not two >&2; exit 3") },
    label: declared("failed", [0, 1, 0, 0]),
  },
  {
    name: "declared: TAP, case by case",
    kind: "other",
    files: {
      ...code,
      "results.tap": lines("1..3", "ok 1 - adds", "not ok 2 - takes away", "# 1 is not 2", "ok 3 - later # SKIP"),
      "test.sh": lines("#!/bin/sh", "cat results.tap"),
    },
    label: declared("failed", [1, 1, 0, 1]),
  },
  {
    name: "declared: TAP that breaks off",
    kind: "other",
    files: { ...code, "results.tap": lines("1..3", "ok 1"), "test.sh": lines("#!/bin/sh", "cat results.tap") },
    label: declared("failed", [1, 0, 1, 0]),
  },
  {
    name: "declared: the compiler is not there",
    kind: "other",
    needs: "make",
    files: { ...code, Makefile: lines("test:", "\tno-such-compiler --test main.zz") },
    label: declared("not_run: no_toolchain", [0, 0, 0, 0]),
  },
  {
    name: "declared: a script goes on without its compiler",
    kind: "other",
    files: { ...code, "scripts/test.sh": lines("#!/bin/sh", "no-such-compiler main.zz", "echo done") },
    label: declared("not_run: no_toolchain", [0, 0, 0, 0]),
  },
  {
    name: "declared: a script calls a program of the project that is none",
    kind: "other",
    files: { ...code, "run_tests.sh": lines("#!/bin/sh", "set -e", "helper"), helper: "" },
    label: declared("failed", [0, 1, 0, 0]),
  },
  {
    name: "declared: hangs",
    kind: "other",
    timeoutMs: 3_000,
    files: { ...code, "test.sh": lines("#!/bin/sh", "sleep 600") },
    label: declared("not_run: out_of_time", [0, 0, 0, 0]),
  },
  {
    name: "declared: crashes",
    kind: "other",
    files: { ...code, "test.sh": lines("#!/bin/sh", "kill -SEGV $$") },
    label: declared("crashed", [0, 0, 0, 0]),
  },
  {
    name: "declared: says that there are no tests",
    kind: "other",
    needs: "make",
    files: { ...code, Makefile: lines("test:", "\t@echo no tests yet") },
    label: declared("not_run: no_toolchain", [0, 0, 0, 0]),
  },
  {
    name: "declared: a folder keeps make from running anything",
    kind: "other",
    needs: "make",
    files: { ...code, Makefile: lines("test:", "\texit 1"), "test/data.txt": "" },
    label: declared("not_found", [0, 0, 0, 0]),
  },
  {
    name: "declared: beside tests that ran already",
    kind: "mixed",
    needs: "make",
    files: {
      Makefile: lines("test:", "\tnode --test; exit 1"),
      "a.test.js": 'require("node:test")("works", () => {});\n',
    },
    label: healthy(1),
  },
  {
    name: "declared: calls a runner that finds no tests yet",
    kind: "mixed",
    needs: "make",
    files: { Makefile: lines("test:", "\tnpx vitest run"), "a.js": "" },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "declared: a check of its own for JavaScript",
    kind: "mixed",
    needs: "make",
    files: { Makefile: lines("test:", "\tnode check.js"), "check.js": 'if (1 > 2) throw new Error("no");\n' },
    label: healthy(1),
  },
];
