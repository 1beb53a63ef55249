/** Unit tests share processes: what would change one for the next file needs a process of its own. */
import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, it } from "vitest";
import { APART, INTEGRATION } from "../vitest.config.ts";
import { listFiles, projectRoot } from "./house-rules.ts";

const isIn = (path: string, globs: string[]): boolean => globs.some((glob) => matchesGlob(path, glob));
const tests = listFiles().filter((path) => path.endsWith(".test.ts"));
const shared = tests.filter((path) => !isIn(path, [...APART, ...INTEGRATION]));

/** At the beginning of a line: elsewhere it is the text of a program that a test runs. */
const CHANGES =
  /^\s*(void )?(vi\.(mock|stubEnv|stubGlobal|useFakeTimers)\(|process\.(chdir|umask)\(\S|process\.env(\.\w+|\[.+?\]) =[^=]|delete process\.env|setDefaultCACertificates\()/m;

it("no file that shares its process changes the environment, the folder, the clock, the certificates or a module", () => {
  expect(shared.length).toBeGreaterThan(300);
  expect(shared.filter((path) => CHANGES.test(readFileSync(join(projectRoot, path), "utf8")))).toEqual([]);
});

it("each pattern of files with a process of their own still fits one", () => {
  expect(APART.filter((glob) => !tests.some((path) => matchesGlob(path, glob)))).toEqual([]);
});
