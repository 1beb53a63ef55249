/** What compilers and CMake print: findings, and what is lacking. Pure. */
import type { Finding } from "../../../core/verdict/verdict.ts";

/** `path:line:column: error: message`, as GCC and Clang write it. */
const MESSAGE =
  /^(?:In file included from .*\n)?([^\s:][^:\n]*):(\d+):(?:(\d+):)? (fatal error|error|warning): (.+?)(?: \[-W([\w=+-]+)\])?$/gm;
const FINDINGS = 100;

/** `copy`: the folder that full paths begin with. What lies elsewhere is not the project's. */
export function findingsIn(text: string, copy: string): { errors: Finding[]; warnings: Finding[] } {
  const found = new Map<string, { isError: boolean; finding: Finding }>();
  for (const [, path = "", line, column, level, message = "", rule] of text.matchAll(MESSAGE)) {
    const own = path.startsWith(`${copy}/`) ? path.slice(copy.length + 1) : path;
    if (own.startsWith("/")) continue;
    const place = { path: own, line: Number(line), ...(column ? { column: Number(column) } : {}) };
    const finding = { ...place, message, rule: rule ?? "compile" };
    found.set(JSON.stringify(finding), { isError: level !== "warning", finding });
  }
  const of = (wanted: boolean): Finding[] =>
    [...found.values()].flatMap(({ isError, finding }) => (isError === wanted ? [finding] : [])).slice(0, FINDINGS);
  return { errors: of(true), warnings: of(false) };
}

const PACKAGES = [
  /Could NOT find (\w+)/g,
  /Could not find a package configuration file provided by "([\w-]+)"/g,
  /No package '([\w.+-]+)' found/g,
  /The following required packages were not found:\s+- ([\w.+-]+)/g,
  /(?:FetchContent|Content)[\s\S]{0,200}?FETCHCONTENT_SOURCE_DIR_(\w+)/g,
  /Failed to (?:clone repository|checkout tag)[^'"\n]*['"]([^'"\n]+)/g,
];

/** Libraries that this computer lacks say nothing of the project, and neither does a missing compiler. */
export function lackingIn(text: string): { packages: string[]; tool?: string } {
  const packages = [
    ...new Set(PACKAGES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name))),
  ];
  const newer = /CMake ([\d.]+) or higher is required/.exec(text)?.[1];
  if (newer) return { packages, tool: `CMake ${newer}` };
  const compiler = /No (CMAKE_\w+_COMPILER) could be found/.exec(text)?.[1];
  return { packages, ...(compiler ? { tool: "a compiler for this language" } : {}) };
}
