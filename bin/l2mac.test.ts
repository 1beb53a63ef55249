import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemProcesses } from "../lib/host/process-identity.ts";

/** A clone with a command of three lines, and a Node that differs from the pinned one only by its output. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "l2mac-clone-"));
  mkdirSync(join(clone, "bin"));
  mkdirSync(join(clone, "lib/cli"), { recursive: true });
  mkdirSync(join(clone, "node_modules/node/bin"), { recursive: true });
  cpSync(fileURLToPath(new URL("l2mac.mjs", import.meta.url)), join(clone, "bin/l2mac.mjs"));
  symlinkSync(process.execPath, join(clone, "node_modules/node/bin/node"));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const command = (source: string): void => writeFileSync(join(clone, "lib/cli/main.ts"), source);
const launcher = () => join(clone, "bin/l2mac.mjs");

/** The launcher as a Node below 24 sees it. */
const asOldNode = (): string => {
  const text = readFileSync(launcher(), "utf8");
  const old = text.replace(
    "process.versions.node.split",
    '(process.env.L2MAC_LAUNCHED ? process.versions.node : "20.20.2").split',
  );
  expect(old).not.toBe(text);
  writeFileSync(launcher(), old);
  return launcher();
};

describe("the launcher", () => {
  it("runs the command at once under a Node that can", () => {
    command(
      "export const main = (args: string[], { launched }: object & { launched: boolean }) => console.log(JSON.stringify(args), launched);",
    );
    const { stdout, status } = spawnSync(process.execPath, [launcher(), "a b", "--c"], { encoding: "utf8" });
    expect({ stdout, status }).toEqual({ stdout: '["a b","--c"] false\n', status: 0 });
  });

  it("starts the pinned Node under an older one, and ends with its exit code", () => {
    command(
      "export const main = (args: string[], { launched }: { launched: boolean }) => { console.log(launched, process.env.L2MAC_LAUNCHED); process.exitCode = 7; };",
    );
    const { stdout, status } = spawnSync(process.execPath, [asOldNode()], { encoding: "utf8" });
    expect({ stdout, status }).toEqual({ stdout: "true undefined\n", status: 7 });
  });

  it("says what to do where no Node fits, with exit code 3", () => {
    command("export const main = () => {};");
    rmSync(join(clone, "node_modules"), { recursive: true });
    const { stderr, status } = spawnSync(process.execPath, [asOldNode()], { encoding: "utf8" });
    expect(status).toBe(3);
    expect(stderr).toMatch(/^l2mac: .*\nNext: npm ci --ignore-scripts=false/);
  });

  it("says in a package which Node it needs, as the manifest does", () => {
    rmSync(join(clone, "lib"), { recursive: true });
    const manifest = readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8");
    writeFileSync(join(clone, "package.json"), manifest);
    const oldest = JSON.parse(manifest).engines.node.replace(">=", "");
    const { stderr, status } = spawnSync(process.execPath, [asOldNode()], { encoding: "utf8" });
    expect(status).toBe(3);
    expect(stderr).toMatch(new RegExp(`^l2mac: Node ${oldest} or later is needed, .*\nNext: install Node 24`));
  });

  it("says what to do where the dependencies are not installed, without a stack", () => {
    command('import "no-such-package"; export const main = () => {};');
    const { stderr, status } = spawnSync(process.execPath, [launcher()], { encoding: "utf8" });
    expect(status).toBe(3);
    expect(stderr).toMatch(/^l2mac: it does not start: Cannot find package.*\nNext: npm ci/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("ends a command that its signal ended with the signal's exit code", () => {
    command('export const main = () => { process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 60_000); };');
    expect(spawnSync(process.execPath, [asOldNode()]).status).toBe(143);
  });

  it("takes the command with it when it is killed", async () => {
    command(
      `import { createSignals } from ${JSON.stringify(new URL("../lib/cli/display/signals.ts", import.meta.url).href)};
      export const main = (args: string[], options: { launched: boolean }) => {
        createSignals(options);
        setInterval(() => {}, 60_000);
        console.log(process.pid);
      };`,
    );
    const child = spawn(process.execPath, [asOldNode()], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface(child.stdout), "line");
    const pid = Number(line);
    expect(pid).not.toBe(child.pid);
    child.kill("SIGKILL");
    await expect.poll(() => systemProcesses.isAlive({ pid, started: "" })).toBe(false);
  });

  it("passes a signal on that reached it alone, and the next one ends at once", async () => {
    command(
      `import { createSignals } from ${JSON.stringify(new URL("../lib/cli/display/signals.ts", import.meta.url).href)};
      export const main = (args: string[], options: { launched: boolean }) => {
        createSignals(options).onStop((signal) => console.log("stop", signal));
        setInterval(() => {}, 60_000);
        console.log("ready");
      };`,
    );
    const child = spawn(process.execPath, [asOldNode()], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("ready");
    child.kill("SIGINT");
    expect((await lines.next()).value).toBe("stop SIGINT");
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).toBe(143);
  });
});
