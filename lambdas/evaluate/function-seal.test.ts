import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Context } from "aws-lambda";
import { afterAll, describe, expect, it } from "vitest";
import { encodeEvaluation } from "../../lib/core/verdict/evaluation-wire.ts";
import { runCommand } from "../../lib/evaluator/process/run-command.ts";
import { packTree } from "../../lib/pack/pack.ts";
import { createFunctionSeal, endLeftovers } from "./function-seal.ts";

const noShell = !existsSync("/bin/bash") || process.platform !== "linux";
const seal = createFunctionSeal();
const sealed = (script: string): string[] =>
  seal.seal({ argv: ["/bin/bash", "-c", script], cwd: "/", writable: [], readable: [] }).argv;
const PATH = { PATH: "/usr/bin:/bin" };
/** The function has less, and is replaced where that does not suffice: a busy computer may need more. */
const PATIENCE_MS = 60_000;
/** A zombie is no longer alive. */
const isAlive = (pid: string): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

describe.skipIf(noShell)("what a function does about the code that runs in it (needs Linux and bash)", () => {
  it("ends what left its session and forgot its environment, and nothing else", async () => {
    const bystander = spawn("sleep", ["300"], { stdio: "ignore" });
    await once(bystander, "spawn");
    const daemon = "env -i /usr/bin/setsid /bin/sleep 300 >/dev/null 2>&1 & echo $!";
    const { stdout } = await runCommand({ argv: sealed(daemon), cwd: "/", env: PATH, timeoutMs: 60_000 });
    expect(stdout.trim()).toMatch(/^\d+$/);
    expect(await endLeftovers(PATIENCE_MS)).toBe(true);
    expect(isAlive(stdout.trim())).toBe(false);
    expect(bystander.exitCode ?? bystander.signalCode).toBe(null);
    bystander.kill();
  });

  it("leaves alone what another evaluator on the same computer has running, and still finds its own", async () => {
    // It says its own id, so that it is what it will be when that is read.
    const words = sealed("echo $$; exec sleep 300").map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    const other = spawn("/bin/bash", ["-c", `${words.join(" ")} & wait`], { env: PATH });
    const [said] = await once(other.stdout, "data");
    const daemon = "/usr/bin/setsid /bin/sleep 300 >/dev/null 2>&1 & echo $!";
    const { stdout } = await runCommand({ argv: sealed(daemon), cwd: "/", env: PATH, timeoutMs: 60_000 });
    expect(await endLeftovers(PATIENCE_MS)).toBe(true);
    expect([String(said).trim(), stdout.trim()].map(isAlive)).toEqual([true, false]);
    // While it lives, what it started is its own.
    const ended = once(other, "exit");
    other.kill();
    await ended;
    expect(await endLeftovers(PATIENCE_MS)).toBe(true);
    expect(isAlive(String(said).trim())).toBe(false);
  });

  it("ends what has children faster than they can be ended", async () => {
    const bomb = "for i in 1 2 3 4; do (while :; do (setsid sleep 0.2 &) ; done) >/dev/null 2>&1 & done; sleep 0.3";
    await runCommand({
      argv: sealed(`setsid /bin/bash -c '${bomb}' & sleep 0.4`),
      cwd: "/",
      env: PATH,
      timeoutMs: 600,
    });
    expect(await endLeftovers(PATIENCE_MS)).toBe(true);
  });

  it("bounds files, descriptors and core dumps of commands, and lets them end as they will", async () => {
    const script = "ulimit -Hc; ulimit -Hf; ulimit -Hn; exit 7";
    const result = await runCommand({ argv: sealed(script), cwd: "/", env: PATH, timeoutMs: 60_000 });
    expect(result.stdout.trim().split("\n")).toEqual(["0", "524288", "1024"]);
    expect(result.exitCode).toBe(7);
  });
});

// In the same file, because both end processes of their own user.
describe.skipIf(noShell)("the evaluator's function (needs Linux and bash)", () => {
  const scratch = mkdtempSync(join(tmpdir(), "function-"));
  const secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  const context = { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 } as Context;
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  async function evaluated(script: string) {
    process.env.L2MAC_SCRATCH = scratch;
    process.env.AWS_SECRET_ACCESS_KEY = secret;
    process.env.AWS_SESSION_TOKEN = `IQoJb3JpZ2luX2Vj${"x".repeat(200)}`;
    const { handler } = await import("./entry.ts");
    const content = new TextEncoder().encode(script);
    const request = await encodeEvaluation({
      runId: "01RUN",
      base: { key: "base", load: async () => packTree(undefined, [{ path: "attack.sh", content }]) },
      changes: [],
      command: { argv: ["bash", "attack.sh"] },
      install: false,
      timeoutMs: 20_000,
    });
    const { command } = await handler(JSON.parse(request), context);
    return command;
  }

  it("gives generated code no credentials in its environment", async () => {
    const found = await evaluated("env");
    expect(found?.status).toBe("passed");
    expect(found?.stdout).not.toMatch(/AWS_|wJalr|IQoJ/);
    expect(process.env.AWS_SECRET_ACCESS_KEY).toBeUndefined();
  });

  it("tells nothing that looks like a key, and no control characters", async () => {
    const found = await evaluated(
      `echo AKIAIOSFODNN7EXAMPLE ${secret}; printf '\\033[2J\\a%s' ghp_${"a1B2".repeat(9)}`,
    );
    expect(found?.stdout).toBe("[secret: aws access key] [redacted]\n[secret: github token]");
  });

  it("leaves nothing behind: no file, no process, whatever of it wants to stay", async () => {
    const found = await evaluated(
      "mkdir -p $HOME/a; chmod 0 $HOME/a; echo x >kept; (env -i /usr/bin/setsid /bin/sleep 300 >/dev/null 2>&1 & echo $!)",
    );
    expect(found?.stdout.trim()).toMatch(/^\d+$/);
    expect(isAlive(found?.stdout.trim() ?? "")).toBe(false);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("cuts endless output short, and says so", async () => {
    const found = await evaluated("yes l2mac | head -c 50000000");
    expect(found?.stdout.length).toBeLessThan(100_000);
    expect(found?.stdout).toContain("left out");
  });
});
