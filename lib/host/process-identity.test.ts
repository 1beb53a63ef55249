import { expect, test } from "vitest";
import { startScript } from "../../test/start-script.ts";
import { systemProcesses } from "./process-identity.ts";

test("this process is alive, and stays who it is", () => {
  const self = systemProcesses.self();
  expect(self.pid).toBe(process.pid);
  expect(self.started).not.toBe("");
  expect(systemProcesses.self()).toEqual(self);
  expect(systemProcesses.isAlive(self)).toBe(true);
});

test("a pid that was given out again is another process", () => {
  expect(systemProcesses.isAlive({ pid: process.pid, started: "another time" })).toBe(false);
});

test("another process is alive until it ends", async () => {
  const source = `import { systemProcesses } from ${JSON.stringify(new URL("./process-identity.ts", import.meta.url).href)};
    console.log(JSON.stringify(systemProcesses.self()));`;
  const other = startScript(source);
  const identity = JSON.parse((await other.line()) ?? "");
  expect(identity.pid).toBe(other.pid);
  expect(systemProcesses.isAlive(identity)).toBe(true);
  await other.kill();
  expect(systemProcesses.isAlive(identity)).toBe(false);
});

test.each([0, -1])("%d is no process, although signals to it arrive", (pid) => {
  expect(systemProcesses.isAlive({ pid, started: "" })).toBe(false);
});
