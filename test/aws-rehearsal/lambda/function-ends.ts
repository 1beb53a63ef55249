/** How Lambda tells of an invocation whose process did not answer: its time was over, or it was gone. Pure. */
import type { Told } from "./runtime-api.ts";

export const timedOut = (requestId: string, limitMs: number): Told =>
  ended(
    "Sandbox.Timedout",
    `RequestId: ${requestId} Error: Task timed out after ${(limitMs / 1_000).toFixed(2)} seconds`,
  );

export function exited(requestId: string, code: number | null, signal: string | null): Told {
  const how = code === null ? `signal: ${SIGNALS[signal ?? ""] ?? signal}` : `exit status ${code}`;
  const reason = code === 0 ? "Runtime exited without providing a reason" : `Runtime exited with error: ${how}`;
  return ended("Runtime.ExitError", `RequestId: ${requestId} Error: ${reason}`);
}

const SIGNALS: Record<string, string> = { SIGKILL: "killed", SIGABRT: "aborted", SIGSEGV: "segmentation fault" };

const ended = (errorType: string, errorMessage: string): Told => ({
  failed: true,
  payload: JSON.stringify({ errorType, errorMessage }),
});
