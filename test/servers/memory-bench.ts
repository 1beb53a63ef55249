/** A workbench in memory: real files with the rules of paths, a real syntax check (of JSON), and a gate that rests on it. */

import { PATHS_PER_TURN } from "../../lib/core/limits.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { foldPath, parentsOf } from "../../lib/core/text/file-path.ts";
import { decodeText, encodeText, linesOf } from "../../lib/core/text/file-text.ts";
import { nearest } from "../../lib/core/text/likeness.ts";
import type { Workbench, WorkFiles } from "../../lib/core/turn/workbench.ts";
import type { Amendment } from "../../lib/core/verdict/amendment.ts";
import { type Finding, notRun, type Verdict } from "../../lib/core/verdict/verdict.ts";

export interface MemoryBenchSettings {
  files?: Record<string, string | Uint8Array>;
  answerChars?: number;
  /** In place of the check of JSON. */
  check?: Workbench["check"];
  command?: Workbench["command"];
  takeProgram?: Workbench["takeProgram"];
  amend?: Workbench["amend"];
  prove?: Workbench["prove"];
}

export interface MemoryBench extends Workbench {
  /** The text of a file, or undefined. */
  text(path: string): string | undefined;
  paths(): string[];
  programs: Draft[];
  reports: { summary: string; next?: string }[];
  amendments: Amendment[];
}

export function createMemoryBench(settings: MemoryBenchSettings = {}): MemoryBench {
  const tree = new Map<string, { path: string; bytes: Uint8Array }>();
  for (const [path, content] of Object.entries(settings.files ?? {})) {
    tree.set(foldPath(path), { path, bytes: typeof content === "string" ? encodeText(content) : content });
  }
  const present = () => [...tree.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const read = (path: string) => {
    const known = tree.get(foldPath(path));
    return known?.path === path ? known.bytes : undefined;
  };
  const text = (path: string) => {
    const bytes = read(path);
    return bytes && decodeText(bytes);
  };
  const paths = () => present().map(({ path }) => path);
  const check = settings.check ?? (async ({ syntax }) => checkJson(syntax?.paths ?? paths(), text));
  const programs: Draft[] = [];
  const reports: MemoryBench["reports"] = [];
  const amendments: Amendment[] = [];

  return {
    files: filesOf(tree, { present, read }),
    answerChars: settings.answerChars ?? 20_000,
    noteSight: async () => {},
    check,
    command: settings.command ?? (async () => notRun("no_toolchain")),
    async complete(report) {
      reports.push(report);
      const { syntax } = await check({ syntax: {}, tests: {} });
      const accepted = syntax.status !== "failed";
      return {
        accepted,
        text: accepted ? "Accepted." : "Not accepted.",
        note: accepted ? { finding: "accepted" } : { refusal: "tests" },
      };
    },
    amend:
      settings.amend ??
      (async (amendment) => {
        amendments.push(amendment);
        return undefined;
      }),
    prove: settings.prove ?? (async () => ({ ok: false, text: "Nothing is proven.", finding: "not proven" })),
    takeProgram:
      settings.takeProgram ??
      (async (draft) => {
        programs.push(draft);
        return undefined;
      }),
    text,
    paths,
    programs,
    reports,
    amendments,
  };
}

type Tree = Map<string, { path: string; bytes: Uint8Array }>;
interface Reading {
  present: () => { path: string; bytes: Uint8Array }[];
  read: (path: string) => Uint8Array | undefined;
}

function filesOf(tree: Tree, { present, read }: Reading): WorkFiles {
  const changed = new Set<string>();
  return {
    async list({ prefix = "", after = "", limit }) {
      const within = present().filter(({ path }) => path.startsWith(prefix) && path > after);
      return within
        .slice(0, limit)
        .map(({ path, bytes }) => ({ path, bytes: bytes.length, lines: linesOf(bytes), instruction: 1 }));
    },
    read: async (path) => read(path),
    async write(path, content) {
      const problem = problemWith(path, tree, changed);
      if (problem) return problem;
      changed.add(foldPath(path));
      tree.set(foldPath(path), { path, bytes: content });
      return undefined;
    },
    async remove(path) {
      if (!read(path)) return false;
      changed.add(foldPath(path));
      return tree.delete(foldPath(path));
    },
    async move(moves) {
      const moved = moves.map(({ from, to }) => ({ to, bytes: read(from) ?? new Uint8Array() }));
      const before = new Map(tree);
      for (const { from } of moves) tree.delete(foldPath(from));
      for (const { to, bytes } of moved) {
        const problem = tree.has(foldPath(to)) ? `${to} exists.` : problemWith(to, tree, changed);
        if (problem) {
          tree.clear();
          for (const [key, file] of before) tree.set(key, file);
          return problem;
        }
        tree.set(foldPath(to), { path: to, bytes });
      }
      return undefined;
    },
    similar: async (path) =>
      nearest(
        path,
        present().map((known) => known.path),
        5,
      ),
  };
}

function problemWith(path: string, tree: Tree, changed: Set<string>): string | undefined {
  const folded = foldPath(path);
  if (!changed.has(folded) && changed.size >= PATHS_PER_TURN)
    return `One turn changes at most ${PATHS_PER_TURN} paths.`;
  const standing = tree.get(folded);
  if (standing && standing.path !== path) return `${path} differs from ${standing.path} only in case or Unicode form.`;
  const file = parentsOf(path).find((parent) => tree.has(foldPath(parent)));
  if (file) return `${file} is a file, so nothing can lie in it.`;
  return [...tree.keys()].some((key) => key.startsWith(`${folded}/`)) ? `${path} is a folder.` : undefined;
}

function checkJson(paths: string[], text: (path: string) => string | undefined): Verdict {
  const documents = paths.filter((path) => path.endsWith(".json"));
  const verdict = notRun("nothing_to_check");
  if (documents.length === 0) return verdict;
  const errors = documents.flatMap((path) => findingIn(path, text(path) ?? ""));
  return { ...verdict, syntax: { status: errors.length > 0 ? "failed" : "passed", errors } };
}

function findingIn(path: string, text: string): Finding[] {
  try {
    JSON.parse(text);
    return [];
  } catch {
    return [{ path, line: 1, column: 1, message: "is not JSON" }];
  }
}
