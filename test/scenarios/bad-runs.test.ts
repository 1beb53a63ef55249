/** Runs that cannot be gone on with: running, ended, somebody else's, of another version. A sentence, a code, no trace. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../api/served.ts";
import { aBench, type Bench, type Ended } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import { rateLimited } from "../servers/scripted-faults.ts";

const TASK = "Write many text files.";

let bench: Bench;
beforeAll(() => {
  bench = aBench();
});
afterAll(() => bench.remove());

function expectRefusal(ended: Ended, says: RegExp, { code = 2, next = /^Next: / } = {}): void {
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr.split("\n").find((line) => line.startsWith("Next: "))).toMatch(next);
  expect(ended.stderr).not.toMatch(/^\s+at |ZodError|"code":/m);
  expect(ended.code).toBe(code);
}

const idIn = async (of: Bench, name: string): Promise<string> =>
  JSON.parse((await of.run(["status", name, "--json"])).stdout).id;

describe("resume and cancel", () => {
  it("of a run that is completed are refused", async () => {
    expect((await bench.run(["run", "--rehearse", "--no-tests", "--name", "done"])).code).toBe(0);
    expectRefusal(await bench.run(["resume", "done"]), /is completed; there is nothing left/, {
      next: /l2mac run "<task>" --after /,
    });
    expectRefusal(await bench.run(["cancel", "done"]), /has ended already \(completed\)/, { next: /l2mac status / });
  });

  it("of a run that another process computes: resume is refused, in the same words whatever it does just now", async () => {
    const server = await startProgramServer({ instructions: 3, faults: { 4: rateLimited({ "retry-after": "3600" }) } });
    const busy = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
    try {
      const running = busy.start(["run", TASK, "--model", "gpt-4o", "--name", "busy"]);
      await running.says("Next try at");
      expectRefusal(await busy.run(["resume", "busy"]), /is being computed by another process/, {
        next: /l2mac watch /,
      });
      expect((await busy.run(["cancel", "busy"])).code).toBe(0);
      expect((await running.ended()).code).toBe(1);
      expectRefusal(await busy.run(["cancel", "busy"]), /has ended already \(cancelled\)/);
    } finally {
      busy.remove();
      await server.close();
    }
  });

  it("of a run of another home are refused: it is not there", async () => {
    const id = await idIn(bench, "done");
    const other = aBench();
    expectRefusal(await other.run(["resume", id]), /There are no runs in /);
    expect((await other.run(["run", "--rehearse", "--no-tests", "--name", "own"])).code).toBe(0);
    expectRefusal(await other.run(["resume", id]), new RegExp(`There is no run ${id}`), { next: /l2mac list/ });
    expectRefusal(await other.run(["cancel", id]), new RegExp(`There is no run ${id}`), { next: /l2mac list/ });
    other.remove();
  });
});

describe("a run of another format", () => {
  let later: string;
  beforeAll(async () => {
    expect((await bench.run(["run", "--rehearse", "--no-tests", "--name", "later"])).code).toBe(0);
    later = await idIn(bench, "later");
    change(join(bench.folder, ".l2mac"), later, (body) => ({ ...body, format: 6, status: "dreaming" }));
  });

  it.each([
    ...[["status"], ["resume"], ["cancel"], ["log"], ["tree"], ["get"], ["replay"], ["watch"], ["delete", "--yes"]],
  ])("is refused by %s, which says of which format it is and changes nothing", async (name, ...flags) => {
    const ended = await bench.run([name, later, ...flags]);
    expectRefusal(ended, /is of format 6, which another version of this program wrote; this one reads format 5\./, {
      code: 3,
    });
    expect(ended.stdout).toBe("");
  });

  it("is named by list, which shows the others; found by the end of its id; in the way of no other command", async () => {
    const listed = await bench.run(["list"]);
    expect(listed.stdout).toContain("done");
    expect(listed.stdout).not.toContain("later");
    expect(listed.stderr).toContain(`1 run that this version of l2mac cannot read: ${later}`);
    expectRefusal(await bench.run(["status", later.slice(-6)]), /is of format 6/, { code: 3 });
    expect((await bench.run(["status", "done"])).code).toBe(0);
    expect((await bench.run(["status"])).stdout).toContain("(done)");
  });

  it("whose record is damaged is distinguished from it", async () => {
    expect((await bench.run(["run", "--rehearse", "--no-tests", "--name", "torn"])).code).toBe(0);
    const torn = await idIn(bench, "torn");
    change(join(bench.folder, ".l2mac"), torn, (body) => ({ ...body, calls: "many" }));
    expectRefusal(await bench.run(["resume", torn]), /The record of run \w+ is damaged: calls/, { code: 3 });
  });

  it("with a word that this version does not know is of a newer one, not damaged", async () => {
    expect((await bench.run(["run", "--rehearse", "--no-tests", "--name", "newer"])).code).toBe(0);
    const newer = await idIn(bench, "newer");
    const home = join(bench.folder, ".l2mac");
    change(home, newer, (body) => ({ ...body, status: "dreaming", reason: undefined }));
    expectRefusal(await bench.run(["status", newer]), /has a status that a newer version of this program wrote/, {
      code: 3,
    });
    change(home, newer, (body) => ({ ...body, status: "partial", reason: "asked_person" }));
    expectRefusal(await bench.run(["status", newer]), /has a reason that a newer version of this program wrote/, {
      code: 3,
    });
  });

  it("and a registry of a later version are left as they are", async () => {
    const other = aBench();
    expect((await other.run(["run", "--rehearse", "--no-tests"])).code).toBe(0);
    const database = new DatabaseSync(join(other.folder, ".l2mac", "registry.sqlite"));
    database.exec("PRAGMA user_version = 7");
    database.close();
    expectRefusal(await other.run(["list"]), /registry\.sqlite is of format 7, which a later version/, { code: 3 });
    other.remove();
  });
});

describe("the API", () => {
  let server: TestServer;
  let id: string;
  beforeAll(async () => {
    server = await aServer();
    id = (await server.post("/runs", { task: "a", model: "rehearsal" })).json.id;
    await followed(server, id);
  });
  afterAll(() => server.remove());

  it("refuses to resume or cancel what is completed, with what can be done instead", async () => {
    for (const what of ["resume", "cancel"]) {
      const answer = await server.post(`/runs/${id}/${what}`, {});
      expect(answer).toMatchObject({
        status: 409,
        json: { next: { command: expect.stringMatching(/^(run|status)$/) } },
      });
    }
  });

  it("names a damaged entry of the journal", async () => {
    const [turn] = await server.machine.registry.turns(id, 1);
    const key = turn?.answerKey ?? "";
    const whole = await server.machine.files.get(key);
    await server.machine.files.put(key, new TextEncoder().encode("{"));
    const answer = await server.ask(`/runs/${id}/turns/1/1`);
    expect(answer).toMatchObject({ status: 500, json: { title: "damaged" } });
    expect(answer.json.detail).toContain("Entry 1.1 of the journal (its answer)");
    if (whole) await server.machine.files.put(key, whole);
  });

  it("answers for a run of another format with a conflict on every route, and lists the others", async () => {
    const other = (await server.post("/runs", { task: "b", model: "rehearsal" })).json.id;
    await followed(server, other);
    change(server.machine.home, other, (body) => ({ ...body, format: 6 }));
    const routes = [
      "",
      "/program",
      "/requirements",
      "/events",
      "/files",
      "/file?path=x",
      "/turns/1/1",
      "/output",
      "/task",
    ];
    for (const route of routes) {
      const answer = await server.ask(`/runs/${other}${route}`);
      expect(answer).toMatchObject({ status: 409, json: { detail: expect.stringContaining("is of format 6") } });
    }
    for (const what of ["resume", "cancel"]) {
      expect((await server.post(`/runs/${other}/${what}`, {})).status).toBe(409);
    }
    const { json } = await server.ask("/runs");
    expect(json.runs.map((run: { id: string }) => run.id)).toEqual([id]);
    expect(json.unreadable).toEqual([other]);
  });
});

/** As another version might have written it. */
function change(home: string, id: string, to: (body: object) => object): void {
  const database = new DatabaseSync(join(home, "registry.sqlite"));
  const where = "WHERE pk = ? AND sk = 'META'";
  const row = database.prepare(`SELECT body FROM items ${where}`).get(`RUN#${id}`);
  const body = JSON.stringify(to(JSON.parse(String(row?.body))));
  database.prepare(`UPDATE items SET body = ? ${where}`).run(body, `RUN#${id}`);
  database.close();
}
