import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, removeFolders } from "../../../test/doubles/evaluation.ts";
import { readReport } from "./read-report.ts";

afterAll(removeFolders);

function reportOf(...lines: unknown[]) {
  const path = join(newFolder(), "report");
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return readReport(path);
}

describe("a report", () => {
  it("that was never written is empty and has no end", async () => {
    expect(await readReport(join(newFolder(), "none"))).toEqual({
      cases: [],
      running: [],
      unseen: [],
      truncated: false,
    });
  });

  it("holds its cases, and what was begun and not ended", async () => {
    const report = await reportOf(
      { event: "start", name: "a" },
      { event: "case", name: "a", status: "passed", seconds: 0.1 },
      { event: "start", name: "b" },
    );
    expect(report).toMatchObject({ cases: [{ name: "a", status: "passed" }], running: ["b"] });
    expect(report.end).toBeUndefined();
  });

  it("is read as far as it makes sense: the rest is anybody's", async () => {
    const report = await reportOf("nonsense", { event: "case", name: 1 }, "[]", { event: "end", exit: 1 }, '{"event":');
    expect(report).toMatchObject({ cases: [], end: 1 });
  });

  it("is not read through a link, and a pipe is not waited for", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "elsewhere"), JSON.stringify({ event: "end", exit: 0 }));
    symlinkSync(join(folder, "elsewhere"), join(folder, "link"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["link", "pipe"]) expect((await readReport(join(folder, name))).end).toBeUndefined();
  });

  it("cannot steer a terminal and cannot be endless", async () => {
    const message = `\u001b[31m${"x".repeat(100_000)}`;
    const report = await reportOf({ event: "case", name: "\u001b]0;t\u0007a", status: "failed", message });
    expect(report.cases[0]?.name).toBe("a");
    expect(report.cases[0]?.message?.length).toBeLessThan(2_100);
    expect(report.cases[0]?.message).not.toContain("\u001b");
  });
});
