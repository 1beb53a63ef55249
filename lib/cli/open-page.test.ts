import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../test/doubles/command.ts";

let bench: Bench;
let id = "";
beforeAll(async () => {
  bench = aBench({});
  // Stands in for a browser: writes down what it is to show.
  bench.write("browser", '#!/bin/sh\necho "$1" >> "$(dirname "$0")/shown"\n');
  chmodSync(join(bench.folder, "browser"), 0o755);
  bench.env.BROWSER = join(bench.folder, "browser");
  await bench.run(["run", "--rehearse", "--name", "tally"]);
  id = JSON.parse((await bench.run(["status", "--json"])).stdout).id;
});
afterAll(() => bench.remove());

const shown = (): string[] => {
  const path = join(bench.folder, "shown");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};

describe("l2mac open", () => {
  it("serves the page of the latest run, has the browser show it, and ends when it is told to", async () => {
    const opened = bench.start(["open", "--port", "0"]);
    await opened.says("Ctrl-C stops");
    const address = await opened.answers();
    expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#run=${id}$`));
    expect(await (await fetch(address)).text()).toContain('<script type="module" src="/page/main.js">');
    await expect.poll(shown).toEqual([address]);

    const port = new URL(address).port;
    const again = await bench.run(["open", "tally", "--port", port]);
    expect(again).toMatchObject({ code: 0, stdout: `${address}\n` });
    await expect.poll(shown).toEqual([address, address]);
    opened.child.kill("SIGINT");
    expect((await opened.ended()).code).toBe(130);
  });

  it("says that there is no such run", async () => {
    expect(await bench.run(["open", "nobody"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no run nobody"),
    });
  });
});
