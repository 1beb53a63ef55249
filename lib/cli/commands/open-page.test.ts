import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { canRunAsAnother, needsAnother, runAsAnother } from "../../../test/doubles/another-user.ts";
import { aBench, type Bench } from "../../../test/doubles/command.ts";

let bench: Bench;
let id = "";
/** With a substitute for the browser: it writes down what it is to show. */
function aWatchedBench(env: Record<string, string> = {}): Bench {
  const made = aBench(env);
  const browser = made.write("browser", '#!/bin/sh\necho "$1" >> "$(dirname "$0")/shown"\n');
  chmodSync(browser, 0o755);
  made.env.BROWSER = browser;
  return made;
}

beforeAll(async () => {
  bench = aWatchedBench();
  await bench.run(["run", "--rehearse", "--name", "tally"]);
  id = JSON.parse((await bench.run(["status", "--json"])).stdout).id;
});
afterAll(() => bench.remove());

const shown = (from = bench): string[] => {
  const path = join(from.folder, "shown");
  // Whole lines: the file is there before anything is written to it.
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
};

/** Says its port, and, once its input ends, how many connections it got. */
const LISTENER = `
let got = 0;
const server = require("node:net").createServer((socket) => { got++; socket.destroy(); });
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => { console.log(got + " connections"); server.close(); });`;

describe("l2mac open", () => {
  it("serves the page of the latest run, has the browser show it, and ends on a signal", async () => {
    const opened = bench.start(["open", "--port", "0"]);
    await opened.says("Ctrl-C stops");
    const address = await opened.answers();
    expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#run=${id}$`));
    expect(await (await fetch(address)).text()).toContain('<script type="module" src="/page/main.js">');
    await expect.poll(() => shown()).toEqual([address]);

    const port = new URL(address).port;
    const again = await bench.run(["open", "tally", "--port", port]);
    expect(again).toMatchObject({ code: 0, stdout: `${address}\n` });
    await expect.poll(() => shown()).toEqual([address, address]);
    opened.child.kill("SIGINT");
    expect((await opened.ended()).code).toBe(130);
  });

  it("does not take another listener for its own server: it gets neither the browser nor a key", async () => {
    const heard: string[] = [];
    const impostor = createServer((request, response) => {
      heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id, proof: "forged" }));
    });
    impostor.listen(0, "127.0.0.1");
    await once(impostor, "listening");
    const { port } = impostor.address() as AddressInfo;
    const key = "the-key-of-a-server-that-died";
    const home = realpathSync(join(bench.folder, ".l2mac"));
    const servers = join(bench.folder, "config/l2mac/servers");
    mkdirSync(servers, { recursive: true });
    writeFileSync(join(servers, `${port}.json`), JSON.stringify({ port, home, key }));
    const before = shown().length;
    const opened = bench.start(["open"]);
    await opened.says("Ctrl-C stops");
    const address = await opened.answers();
    expect(new URL(address).port).not.toBe(String(port));
    await expect.poll(() => shown().slice(before)).toEqual([address]);
    expect(readdirSync(servers)).toContain(`${new URL(address).port}.json`);
    opened.child.kill("SIGINT");
    await opened.ended();
    expect(readdirSync(servers)).toEqual([`${port}.json`]);
    expect(heard.every((each) => each.startsWith("/proof?nonce="))).toBe(true);
    expect(heard.join()).not.toContain(key);
    impostor.close();
  });

  it.runIf(canRunAsAnother)(
    `sends nothing to another user's server, whatever command is given${needsAnother}`,
    async () => {
      const { child: listener, end } = await runAsAnother(LISTENER);
      const [line] = await once(listener.stdout, "data");
      const url = `http://127.0.0.1:${Number(String(line))}`;
      for (const args of [["list"], ["open"], ["run", "A task of mine."], ["doctor"]]) {
        const { code, stderr } = await bench.run([...args, "--remote", url]);
        expect([args, code, stderr]).toEqual([args, 3, expect.stringContaining("it belongs to user 65534")]);
      }
      listener.stdin.end();
      const [heard] = await once(listener.stdout, "data");
      expect(String(heard)).toBe("0 connections\n");
      end();
    },
  );

  it("tells its page how the command was typed", async () => {
    bench.env.npm_command = "exec";
    const opened = bench.start(["open", "--port", "0"]);
    delete bench.env.npm_command;
    expect(await (await fetch(await opened.answers())).text()).toContain('data-typed="npx l2mac"');
    opened.child.kill("SIGINT");
    await opened.ended();
  });

  it("says that there is no such run", async () => {
    expect(await bench.run(["open", "nobody"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no run nobody"),
    });
  });
});

describe("l2mac open of a run elsewhere", () => {
  let elsewhere: TestServer;
  let away: Bench;
  beforeAll(async () => {
    elsewhere = await aServer();
    away = aWatchedBench({ L2MAC_API_URL: elsewhere.url });
    away.env.TMPDIR = away.folder;
    const { id: submitted } = (await elsewhere.post("/runs", { task: "Keep a tally", model: "rehearsal" })).json;
    await followed(elsewhere, submitted);
  });
  afterAll(async () => {
    away.remove();
    await elsewhere.remove();
  });

  const keyFor = async (address: string): Promise<Response> => {
    const { origin, hash } = new URL(address);
    const code = new URLSearchParams(hash.slice(1)).get("code") ?? "";
    return fetch(`${origin}/key`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin", "x-l2mac-code": code },
    });
  };

  it("starts the browser with a file of its user's alone, so that no list of processes has what opens the page", async () => {
    const opened = away.start(["open"]);
    await opened.says("Ctrl-C stops");
    const printed = await opened.answers();
    await expect.poll(() => shown(away)).toHaveLength(1);
    const [started = ""] = shown(away);
    expect(started).toMatch(/^file:.*\/open\.html$/);
    const path = fileURLToPath(started);
    expect(await (await fetch(printed)).text()).toContain('data-typed="l2mac"');
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    const [, leads = ""] = /url=([^"]+)/.exec(readFileSync(path, "utf8")) ?? [];
    const address = leads.replaceAll("&amp;", "&");
    expect(new URL(address).origin).toBe(new URL(printed).origin);
    expect(address).not.toBe(printed);
    const { key } = (await (await keyFor(address)).json()) as { key: string };
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await (await keyFor(printed)).json()).toEqual({ key });
    for (const used of [address, printed]) {
      const again = await keyFor(used);
      expect(again.status).toBe(403);
      expect(((await again.json()) as { detail: string }).detail).toContain("Run l2mac open again");
    }
    opened.child.kill("SIGINT");
    const { code, stdout, stderr } = await opened.ended();
    expect(code).toBe(130);
    expect(stdout + stderr).not.toContain(key);
    expect(readdirSync(away.folder).filter((name) => name.startsWith("l2mac-open-"))).toEqual([]);
  });
});
