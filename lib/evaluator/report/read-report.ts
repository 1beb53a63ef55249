/** What a test runner's own report says: lines of JSON, written while the tests ran. The report is untrusted. */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import * as z from "zod";
import { headAndTail } from "../../core/text/cut.ts";
import { sanitize } from "../../core/text/sanitize.ts";
import type { TestCase } from "../../core/verdict/verdict.ts";
import { unsealedLines } from "./sealed-lines.ts";

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
  z.object({ event: z.literal("end"), exit: z.number().int() }),
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

/** Of one report. A run with more tests than fit is cut, and says so. */
const REPORT_BYTES = 8 * 1024 * 1024;
const MESSAGE_CHARS = 2_000;
const NAME_CHARS = 300;

/** With the key of a runner that seals its lines: what it did not write is noticed. */
export async function readReport(path: string, key?: string): Promise<Report> {
  const { text, truncated } = await beginningOf(path);
  const report: Report = { cases: [], running: [], unseen: [], truncated };
  const { lines, tampered } = key === undefined ? { lines: text.split("\n") } : unsealedLines(text, key);
  if (tampered) report.tampered = tampered;
  const running = new Set<string>();
  for (const line of lines) {
    const parsed = parseLine(line);
    if (parsed) take(parsed, report, running);
  }
  return { ...report, running: [...running] };
}

function take(line: Line, report: Report, running: Set<string>): void {
  if (line.event === "start") running.add(clean(line.name, NAME_CHARS));
  else if (line.event === "case") {
    const found = reportedCase(line);
    running.delete(found.name);
    report.cases.push(found);
  } else if (line.event === "unseen") report.unseen.push({ name: line.name, needs: line.needs });
  else if (line.event === "left") report.left = [...(report.left ?? []), clean(line.what, NAME_CHARS)];
  else if (line.event === "tampered") report.tampered ??= clean(line.what, NAME_CHARS);
  else report.end = line.exit;
}

/** Tests could have put a link or a pipe there: neither is followed, neither is waited for. */
const AS_IT_LIES = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** At most so much of a file that is not trusted. */
export async function beginningOf(path: string): Promise<{ text: string; truncated: boolean }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, AS_IT_LIES);
    const found = await file.stat();
    const bytes = Buffer.alloc(found.isFile() ? Math.min(found.size, REPORT_BYTES) : 0);
    await file.read(bytes, 0, bytes.length, 0);
    return { text: bytes.toString("utf8"), truncated: found.size > REPORT_BYTES };
  } catch {
    return { text: "", truncated: false };
  } finally {
    await file?.close();
  }
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
