import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "l2mac-seal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the key of a report", () => {
  it("is waited for where its pipe does not block and the key comes late", async () => {
    const report = join(folder, "report");
    const seal = fileURLToPath(new URL("node-seal.mjs", import.meta.url));
    const program = [
      'import fs from "node:fs";',
      'import { syncBuiltinESMExports } from "node:module";',
      "const { readSync } = fs;",
      'fs.readSync = (...asked) => { fs.writeSync(1, "reads\\n"); return readSync(...asked); };',
      "syncBuiltinESMExports();",
      `(await import(${JSON.stringify(seal)})).emit({ reported: true });`,
    ].join("\n");
    // Node opens its own input as one that does not block, and hands it on so.
    const opener = [
      "process.stdin.pause();",
      `const { status } = require("node:child_process").spawnSync(process.execPath, ${JSON.stringify(["--input-type=module", "-e", program])}, { stdio: ["ignore", "inherit", "inherit", 0] });`,
      "process.exit(status);",
    ].join("\n");
    const child = spawn(process.execPath, ["-e", opener], {
      env: { L2MAC_SEALED: "3" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    for (let text = ""; text.split("reads").length < 3; ) text += String(await once(child.stdout, "data"));
    child.stdin.write('{"report":');
    child.stdin.end(`${JSON.stringify(report)},"key":"00"}`);
    expect(await ended).toEqual([0, null]);
    expect(readFileSync(report, "utf8")).toContain('{"reported":true}');
  });
});
