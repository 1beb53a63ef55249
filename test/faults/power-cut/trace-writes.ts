/** What a program writes, in order, as strace sees it: SQLite's writes and Node's alike. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Operation =
  | { kind: "make"; path: string; isFolder: boolean; isEmptied?: boolean }
  /** Without an offset: behind what is there. */
  | { kind: "write"; path: string; bytes: Buffer; offset?: number }
  | { kind: "truncate"; path: string; length: number }
  | { kind: "rename" | "link"; path: string; to: string }
  | { kind: "remove" | "sync"; path: string }
  /** What the program itself has noted. */
  | { kind: "mark"; text: string };

const CALLS = [
  ...["openat", "open", "creat", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat"],
  ...["unlink", "unlinkat", "rmdir", "truncate", "ftruncate", "write", "pwrite64", "writev", "pwritev", "pwritev2"],
  ...["fsync", "fdatasync", "fallocate", "copy_file_range", "sendfile", "symlink", "symlinkat"],
];

export interface Tracing {
  command: string[];
  /** Only what is done below it. */
  root: string;
  /** Writes to it are marks. */
  marks: string;
}

/** Undefined where strace is not installed, or may not look. */
export function traceWrites({ command, root, marks }: Tracing): Operation[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-trace-"));
  const file = join(folder, "trace");
  try {
    const flags = ["-f", "-y", "-xx", "-s", "16777216", "--seccomp-bpf", "-e", `trace=${CALLS}`, "-o", file];
    const env = { ...process.env, UV_USE_IO_URING: "0" };
    const { status, stderr } = spawnSync("strace", [...flags, ...command], { encoding: "utf8", env });
    if (status === null || /strace: .*(PTRACE|ptrace)/.test(stderr)) return undefined;
    if (status !== 0) throw new Error(`The traced program ended with ${status}: ${stderr}`);
    return operationsIn(readFileSync(file, "latin1"), root, marks);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function operationsIn(trace: string, root: string, marks: string): Operation[] {
  const begun = new Map<string, string>();
  return trace.split("\n").flatMap((line) => {
    const [, thread = "", said = ""] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (said.endsWith("<unfinished ...>")) {
      begun.set(thread, said.slice(0, -"<unfinished ...>".length));
      return [];
    }
    const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/s.exec(said) ?? [];
    const call = rest === undefined ? said : `${begun.get(thread) ?? ""}${rest}`;
    const [, name = "", given = "", answer = ""] = /^(\w+)\((.*)\) += (-?\d+.*)$/s.exec(call) ?? [];
    if (name === "" || answer.startsWith("-")) return [];
    if (!call.includes(encoded(root))) return [];
    const done = operationOf(name, { given, answer });
    return done && isBelow(done, root) ? [withMark(done, marks)] : [];
  });
}

const withMark = (done: Operation, marks: string): Operation =>
  done.kind === "write" && done.path === marks ? { kind: "mark", text: done.bytes.toString() } : done;

const isBelow = (done: Operation, root: string): boolean =>
  done.kind !== "mark" && (done.path === root || done.path.startsWith(`${root}/`));

const decoded = (hex: string): Buffer =>
  Buffer.from(
    hex.replace(/\\x([\da-f]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    "latin1",
  );

const encoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");

const textsIn = (given: string): Buffer[] =>
  [...given.matchAll(/"((?:\\x[\da-f]{2})*)"/g)].map(([, hex = ""]) => decoded(hex));
const pathOfFile = (given: string): string => decoded(/^\d+<((?:\\x[\da-f]{2})*)>/.exec(given)?.[1] ?? "").toString();
const lastNumber = (given: string): number => Number(/(\d+)$/.exec(given)?.[1]);

function operationOf(name: string, { given, answer }: { given: string; answer: string }): Operation | undefined {
  const texts = textsIn(given);
  const [path = "", to = ""] = texts.map(String);
  const file = pathOfFile(given);
  if (name === "openat" || name === "open" || name === "creat") {
    const isEmptied = given.includes("O_TRUNC");
    const makes = isEmptied || given.includes("O_CREAT");
    return makes ? { kind: "make", path: pathOfFile(answer), isFolder: false, isEmptied } : undefined;
  }
  if (name.startsWith("mkdir")) return { kind: "make", path, isFolder: true };
  if (name.startsWith("rename")) return { kind: "rename", path, to };
  if (name.startsWith("link")) return { kind: "link", path, to };
  if (name.startsWith("unlink") || name === "rmdir") return { kind: "remove", path };
  if (name === "ftruncate") return { kind: "truncate", path: file, length: lastNumber(given) };
  if (name === "fsync" || name === "fdatasync") return { kind: "sync", path: file };
  const bytes = Buffer.concat(texts).subarray(0, Number.parseInt(answer, 10));
  if (name === "write" || name === "writev") return { kind: "write", path: file, bytes };
  if (name.startsWith("pwrite")) return { kind: "write", path: file, bytes, offset: lastNumber(given) };
  throw new Error(`The disk has no ${name}.`);
}
