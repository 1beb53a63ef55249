import { afterEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import type { ScriptedServer } from "../../../test/servers/scripted-openai.ts";

let bench: Bench;
let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  bench.remove();
});

/** As on a computer without bubblewrap, whose user has said nothing yet. */
function bareBench(): Bench {
  bench = aBench({ PATH: "/nonexistent", L2MAC_UNSEALED: "" });
  return bench;
}

async function run(...more: string[]) {
  server = await startProgramServer({ instructions: 1 });
  return bench.run(["run", "Write a part.", "--model", "scripted", "--base-url", server.url, ...more]);
}

describe("a computer where nothing seals off what is written", () => {
  it("runs none of it where there is no terminal to ask on, ends with 3, and says what to do", async () => {
    bareBench();
    const { code, stderr } = await run();
    expect(code).toBe(3);
    expect(stderr).toMatch(/bwrap\) is not installed, and there is no terminal to ask on.*runs as you/);
    expect(stderr).toMatch(/^Next: .*--unsealed/m);
    expect((await bench.run(["list"])).stdout).not.toMatch(/Write/);
  });

  it("runs it where --unsealed says that it may, and says that it is unsealed", async () => {
    bareBench();
    const { code, stderr } = await run("--unsealed");
    expect(stderr).toContain("unsealed (bubblewrap (bwrap) is not installed)");
    expect(code).not.toBe(3);
  });

  it("runs it where the configuration says so", async () => {
    bareBench().configure({ unsealed: true });
    expect((await run()).code).not.toBe(3);
  });

  it("asks nothing of a book, nor of a rehearsal: they run nothing that a model wrote", async () => {
    bareBench();
    expect((await run("--domain", "book")).code).not.toBe(3);
    expect((await bench.run(["run", "--rehearse"])).code).toBe(0);
  });

  it("says so when it serves, and that such runs are refused", async () => {
    const served = bareBench().start(["serve", "--port", "0"]);
    await served.says("runs that would run any are refused");
    served.child.kill("SIGTERM");
    await served.ended();
  });
});
