/** What a test runner's own report says: lines of JSON, written while the tests ran. The report is untrusted. */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import * as z from "zod";
import { headAndTail } from "../../core/text/cut.ts";
import { sanitize } from "../../core/text/sanitize.ts";
import type { TestCase } from "../../core/verdict/verdict.ts";
import { createUnsealing } from "./sealed-lines.ts";

const Line = z.discriminatedUnion("event", [
  z.object({ event: z.literal("start"), name: z.string() }),
  z.object({
    event: z.literal("case"),
    name: z.string(),
    status: z.enum(["passed", "failed", "error", "skipped"]),
    seconds: z.number().nonnegative().optional(),
    message: z.string().optional(),
    /** The package whose absence is the reason. */
    missing: z.string().optional(),
  }),
  /** Tests that this runner cannot run, and the program that could. */
  z.object({ event: z.literal("unseen"), name: z.string(), needs: z.string() }),
  /** What the project keeps from being run, in words. */
  z.object({ event: z.literal("left"), what: z.string() }),
  /** What does not fit what our part of the runner saw. */
  z.object({ event: z.literal("tampered"), what: z.string() }),
  /** The runner came to its end by itself. */
  z.object({ event: z.literal("end"), exit: z.int() }),
]);
type Line = z.infer<typeof Line>;

export interface Report {
  cases: (TestCase & { missing?: string })[];
  /** Begun and not ended. */
  running: string[];
  unseen: { name: string; needs: string }[];
  /** The exit code that the runner announced; absent: it never got to its end. */
  end?: number;
  truncated: boolean;
  /** Tests that were not run by the project's own settings, in words. */
  left?: string[];
  /** Why it is not the runner's own. */
  tampered?: string;
}

/** Of a report that is read as a whole. */
const WHOLE_BYTES = 64 * 1024 * 1024;
/** Of one that is read line by line. A run with more tests than fit is cut, and says so. */
const REPORT_BYTES = 512 * 1024 * 1024;
const LINE_CHARS = 1024 * 1024;
export const CASES = 300_000;
/** Cases whose messages are kept: no reader needs more. */
const MESSAGES = 2_000;
const RUNNING = 10_000;
const MESSAGE_CHARS = 2_000;
const NAME_CHARS = 300;

/** With the key of a runner that seals its lines: what it did not write is noticed. */
export async function readReport(path: string, key?: string): Promise<Report> {
  const report: Report = { cases: [], running: [], unseen: [], truncated: false };
  const running = new Set<string>();
  const unseal = key === undefined ? undefined : createUnsealing(key);
  for await (const { line, isWhole, isCut } of linesOf(path)) {
    if (isCut || report.cases.length >= CASES) {
      report.truncated = true;
      break;
    }
    // Text after the last line feed was cut off when the runner ended.
    if (unseal && !isWhole) break;
    const own = unseal ? unseal(line) : { line };
    if ("tampered" in own) {
      report.tampered = own.tampered;
      break;
    }
    const parsed = parseLine(own.line);
    if (parsed) take(parsed, report, running);
  }
  return { ...report, running: [...running] };
}

interface ReportLine {
  line: string;
  /** It ends with a line feed. */
  isWhole: boolean;
  /** The report goes on, and is not read any further. */
  isCut?: true;
}

/** Piece by piece: only the line that is being read is held. */
async function* linesOf(path: string): AsyncGenerator<ReportLine> {
  const file = await openAsItLies(path);
  if (!file) return;
  const decoder = new TextDecoder();
  let rest = "";
  let bytes = 0;
  for await (const piece of file.createReadStream({ highWaterMark: 256 * 1024 })) {
    bytes += piece.length;
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield { line, isWhole: true };
    if (bytes > REPORT_BYTES || rest.length > LINE_CHARS) {
      yield { line: "", isWhole: false, isCut: true };
      return;
    }
  }
  if (rest !== "") yield { line: rest, isWhole: false };
}

function take(line: Line, report: Report, running: Set<string>): void {
  if (line.event === "start") {
    if (running.size < RUNNING) running.add(clean(line.name, NAME_CHARS));
  } else if (line.event === "case") {
    const { message, ...found } = reportedCase(line);
    running.delete(found.name);
    const isShown = message !== undefined && report.cases.length < MESSAGES;
    report.cases.push(isShown ? { ...found, message } : found);
  } else if (line.event === "unseen") report.unseen.push({ name: line.name, needs: line.needs });
  else if (line.event === "left") report.left = [...(report.left ?? []), clean(line.what, NAME_CHARS)];
  else if (line.event === "tampered") report.tampered ??= clean(line.what, NAME_CHARS);
  else report.end = line.exit;
}

/** Tests could have put a link or a pipe there: neither is followed, neither is waited for. */
const AS_IT_LIES = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** At most so much of a file that is not trusted. */
export async function beginningOf(path: string): Promise<{ text: string; truncated: boolean }> {
  const file = await openAsItLies(path);
  if (!file) return { text: "", truncated: false };
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, WHOLE_BYTES));
    await file.read(bytes, 0, bytes.length, 0);
    return { text: bytes.toString("utf8"), truncated: size > WHOLE_BYTES };
  } catch {
    return { text: "", truncated: false };
  } finally {
    await file.close();
  }
}

async function openAsItLies(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, AS_IT_LIES);
    if ((await file.stat()).isFile()) return file;
  } catch {
    // There is none, or it cannot be read.
  }
  await file?.close();
  return undefined;
}

function parseLine(line: string): Line | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** A case as it may be shown, from any reporter. */
export function reportedCase(line: Omit<Extract<Line, { event: "case" }>, "event">): Report["cases"][number] {
  return {
    name: clean(line.name, NAME_CHARS),
    status: line.status,
    ...(line.seconds === undefined ? {} : { seconds: line.seconds }),
    ...(line.message ? { message: clean(line.message, MESSAGE_CHARS) } : {}),
    ...(line.missing ? { missing: clean(line.missing, NAME_CHARS) } : {}),
  };
}

const clean = (text: string, limit: number): string => headAndTail(sanitize(text), limit);
