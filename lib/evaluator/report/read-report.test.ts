import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { closeSync, openSync, statSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, removeFolders } from "../../../test/doubles/evaluation.ts";
import { readReport } from "./read-report.ts";
import { newKey } from "./sealed-lines.ts";

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

  it("may have more cases than fit into any text, and is read to its end", async () => {
    const key = newKey();
    const path = join(newFolder(), "report");
    const file = openSync(path, "w");
    const write = (number: number, event: object): void => {
      const signed = `${number} ${JSON.stringify(event)}`;
      writeSync(file, `${createHmac("sha256", Buffer.from(key, "hex")).update(signed).digest("hex")} ${signed}\n`);
    };
    // Together they have more than 8 MiB.
    const count = 3_000;
    const name = "test_all.py::test_versions".padEnd(2_900, "x");
    for (let at = 0; at < count; at += 1) write(at, { event: "case", name: `${name}${at}`, status: "passed" });
    write(count, { event: "end", exit: 0 });
    closeSync(file);
    expect(statSync(path).size).toBeGreaterThan(8 * 1024 * 1024);
    const report = await readReport(path, key);
    expect(report).toMatchObject({ end: 0, truncated: false });
    expect(report.cases).toHaveLength(count);
    expect(report.tampered).toBeUndefined();
  });

  it("is cut at a line without end", async () => {
    const report = await reportOf({ event: "case", name: "a", status: "passed" }, "x".repeat(3_000_000), {
      event: "end",
      exit: 0,
    });
    expect(report).toMatchObject({ truncated: true, cases: [{ name: "a" }] });
    expect(report.end).toBeUndefined();
  });

  it("cannot steer a terminal and cannot be endless", async () => {
    const message = `\u001b[31m${"x".repeat(100_000)}`;
    const report = await reportOf({ event: "case", name: "\u001b]0;t\u0007a", status: "failed", message });
    expect(report.cases[0]?.name).toBe("a");
    expect(report.cases[0]?.message?.length).toBeLessThan(2_100);
    expect(report.cases[0]?.message).not.toContain("\u001b");
  });
});
