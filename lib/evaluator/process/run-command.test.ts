import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withEnoughTime } from "../../../test/doubles/enough-time.ts";
import { newFolder, removeFolders } from "../../../test/doubles/evaluation.ts";
import { isAlive } from "../../../test/doubles/live-processes.ts";
import { type Command, runCommand } from "./run-command.ts";

afterAll(removeFolders);

const run = (argv: string[], more: Partial<Command> = {}) =>
  runCommand({ argv, cwd: newFolder(), env: {}, timeoutMs: 60_000, ...more });
const runScript = (script: string, more: Partial<Command> = {}) => run([process.execPath, "-e", script], more);
const runShell = (script: string, more: Partial<Command> = {}) =>
  run(["/bin/sh", "-c", script], { env: SYSTEM, ...more });
/** What does not end, until its time is up: with enough of it to say something. */
const untilItSaid = (script: string) =>
  withEnoughTime(
    500,
    (timeoutMs) => runShell(script, { timeoutMs }),
    ({ stdout }) => stdout !== "",
  );
const SYSTEM = { PATH: "/usr/bin:/bin" };

describe("a command", () => {
  it("answers exit code and both streams", async () => {
    const result = await runScript("console.log('out'); console.error('err'); process.exitCode = 3");
    expect(result).toMatchObject({ status: "exited", exitCode: 3, stdout: "out\n", stderr: "err\n", truncated: false });
  });

  it("is ended where it cannot be watched, and no error leaves its timer", async () => {
    const exceeds = (): string => {
      throw new Error("the disk is gone");
    };
    // As a sandbox does, it says on its fourth descriptor what its first process is.
    const result = await runShell('echo "{ \\"child-pid\\": $$ }" >&3; exec sleep 60', { saysFirst: true, exceeds });
    expect(result).toMatchObject({ status: "crashed", signal: "SIGKILL" });
    expect(result.stderr).toContain("because it could not be watched: the disk is gone");
  });

  it("is no shell: its arguments mean nothing", async () => {
    const result = await run([process.execPath, "-p", "process.argv[1]", "$(id); echo *"]);
    expect(result.stdout).toBe("$(id); echo *\n");
  });

  it("reads what it is given, and need not", async () => {
    const given = "x".repeat(300_000);
    const copied = await runScript(
      "let n = 0; process.stdin.on('data', (d) => n += d.length).on('end', () => console.log(n))",
      { stdin: given },
    );
    expect(copied.stdout).toBe("300000\n");
    expect(await runScript("process.exit(0)", { stdin: given })).toMatchObject({ status: "exited", exitCode: 0 });
  });

  it("sees nothing of our environment", async () => {
    process.env.L2MAC_TEST_SECRET = "hunter2";
    const result = await runScript("console.log(JSON.stringify(process.env))", { env: { ONLY: "this" } });
    delete process.env.L2MAC_TEST_SECRET;
    expect(JSON.parse(result.stdout)).toEqual({ ONLY: "this" });
  });

  it("that does not exist is not found, and says so", async () => {
    const result = await run(["no-such-program-anywhere"]);
    expect(result).toMatchObject({ status: "not_found", exitCode: null });
    expect(result.stderr).toContain("no-such-program-anywhere");
  });

  it("without a name is not found", async () => {
    expect((await run([])).status).toBe("not_found");
  });

  it("that a signal ends has crashed", async () => {
    expect(await runScript("process.kill(process.pid, 'SIGSEGV')")).toMatchObject({
      status: "crashed",
      signal: "SIGSEGV",
    });
  });

  it("whose shell says that its child was ended by a signal has crashed too", async () => {
    expect(await runScript("process.exit(139)")).toMatchObject({ status: "crashed", signal: "SIGSEGV" });
  });

  it("that hangs is stopped at its time, with what it printed until then", async () => {
    const result = await untilItSaid("echo started; sleep 600");
    expect(result).toMatchObject({ status: "timed_out", exitCode: null, stdout: "started\n" });
  });

  it("that ignores every request to stop is stopped all the same", async () => {
    const script = "trap '' TERM INT HUP; echo trapped; while :; do sleep 1; done";
    expect(await untilItSaid(script)).toMatchObject({ status: "timed_out", stdout: "trapped\n" });
  });

  it("is stopped when the signal says so, also before it began", async () => {
    const controller = new AbortController();
    const running = runScript("setInterval(() => {}, 1000)", { signal: controller.signal });
    controller.abort();
    expect((await running).status).toBe("timed_out");
    expect((await runScript("1", { signal: controller.signal })).status).toBe("timed_out");
  });

  it("takes its grandchildren along when its time is up", async () => {
    const result = await untilItSaid("sleep 600 & echo $!; wait");
    expect(result.status).toBe("timed_out");
    expect(isAlive(Number(result.stdout))).toBe(false);
  });

  it("leaves no process of its group behind when it ends by itself", async () => {
    const result = await runShell("sleep 60 & echo $!");
    expect(result.status).toBe("exited");
    expect(isAlive(Number(result.stdout))).toBe(false);
  });

  it("that prints without end is cut, head and tail kept", async () => {
    const script = "process.stdout.write('first' + 'x'.repeat(2_000_000) + 'last')";
    const result = await runScript(script, { outputBytes: 1000 });
    expect(result.truncated).toBe(true);
    expect(result.stdout).toMatch(/^firstx+\n\[… \d+ bytes left out …\]\nx+last$/);
    expect(result.stdout.length).toBeLessThan(1100);
  });

  it("hands on each line of an output however long, and the last one without its line feed", async () => {
    let [count, last] = [0, ""];
    const readLine = (line: string): void => {
      count += 1;
      last = line;
    };
    const script = "process.stdout.write('é'.repeat(100).concat('\\n').repeat(50_000) + 'end')";
    const result = await runScript(script, { readLine });
    expect([count, last, result.stdout, result.truncated]).toEqual([50_001, "end", "", false]);
  });

  it("cannot steer a terminal", async () => {
    expect((await runScript("console.log('\\x1b[2Jgone\\x1b]0;x\\x07')")).stdout).toBe("gone\n");
  });

  it("in a folder that is not there is not found", async () => {
    expect((await run(["node"], { cwd: join(newFolder(), "gone") })).status).toBe("not_found");
  });
});
