/** Strict evidence: a requirement is proven where the check of an examiner notices small changes of the code. Through the real command. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

let bench: Bench;
let server: ScriptedServer | undefined;
beforeEach(() => {
  bench = aBench();
  delete bench.env.L2MAC_EVIDENCE;
});
afterEach(async () => {
  await server?.close();
  bench.remove();
});

const SLOW_MS = 300_000;
const call = (name: string, args: object): ScriptedAnswer => ({ toolCalls: [{ name, arguments: args }] });
const write = (files: Record<string, string>): ScriptedAnswer =>
  call("write_files", { files: Object.entries(files).map(([path, content]) => ({ path, content })) });

const CODE = `export function price(count, member) {
  const full = count * 10;
  return member && count >= 5 ? full - 5 : full;
}
`;
const HEAD = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../src/price.js';
`;
const WEAK = `${HEAD}test('is a price', () => assert.ok(price(2, false) > 1 && price(9, true) > 1));
`;
const GOOD = `${HEAD}test('costs ten each', () => assert.equal(price(2, false), 20));
test('members get five off from five on', () => assert.deepEqual([price(4, true), price(5, true)], [40, 45]));
test('others get nothing off', () => assert.equal(price(6, false), 60));
`;

const MODULE = '{ "name": "prices", "type": "module" }\n';

/** `checks`: turns of the examiner, before those of the only instruction. */
async function computed({ checks, turns }: { checks: ScriptedAnswer[]; turns: ScriptedAnswer[] }, count = 2) {
  server = await startScriptedServer({
    answer: ({ messages }) => {
      const isExaminer = messages.some(({ content }) => content?.startsWith("Examining the requirements"));
      const at = messages.filter(({ role }) => role === "assistant").length;
      return (isExaminer ? checks : turns)[at] ?? call("complete_instruction", { summary: "done" });
    },
  });
  const known = ["R1", "R2"].slice(0, count);
  const program = {
    requirements: known.map((id) => ({ id, text: `A price is right, says ${id}.` })),
    instructions: [{ title: "Prices", text: "Write them.", requirements: known }],
  };
  bench.write("program.json", JSON.stringify(program));
  const model = ["--base-url", server.url, "--model", "scripted", "--price", "0,0"];
  return bench.run(["Price list", "--program", "program.json", "--no-install", "--evidence", "strict", ...model]);
}

const work = write({ "package.json": MODULE, "src/price.js": CODE });

it(
  "good checks of the examiner prove by grade E4, here and elsewhere, and complete the run",
  async () => {
    const checks = [
      write({ "test/good.test.js": GOOD }),
      call("prove", { requirement: "R1", tests: ["test/good.test.js"] }),
    ];
    const { code, stderr } = await computed({ checks, turns: [work] }, 1);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^Completed\. Proven 1\/1\.$/m);
    const { stdout } = await bench.run(["evidence"]);
    expect(stdout).toMatch(/^R1 +proven E4 .*\n +R1#1 E4 by the examiner: .*\n +mutants: 5 of \d killed$/m);
    expect(server?.requests[0]?.messages.at(-1)?.content).toContain("They are proven strictly");
    expect(JSON.stringify(server?.requests.at(-1)?.messages)).not.toContain("They are proven strictly");
    expect((await bench.run(["get", "--zip", "made.zip"])).code).toBe(0);
    const { stdout: shown, stderr: said } = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect(`${shown}${said}`).toMatch(/R1#1 E4 +green/);
  },
  SLOW_MS,
);

it(
  "what weak checks of the examiner do not notice is named to the model and the user, and no other test takes their place",
  async () => {
    const checks = [
      write({ "test/good.test.js": GOOD, "test/weak.test.js": WEAK }),
      call("prove", { requirement: "R1", tests: ["test/good.test.js"] }),
      call("prove", { requirement: "R2", tests: ["test/weak.test.js"] }),
    ];
    const turns = [
      work,
      call("prove", { requirement: "R2", tests: ["test/weak.test.js"] }),
      write({ "test/own.test.js": GOOD }),
      call("prove", { requirement: "R2", tests: ["test/own.test.js"] }),
    ];
    const { code, stderr } = await computed({ checks, turns });
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /^partial: .*Proven 1\/2\. Not proven: R2 \(R2#1 grade E2: \d of \d mutants killed; not noticed: src\/price\.js:/m,
    );
    // It is noted at once: those who write the code cannot mend it.
    expect(stderr).not.toContain("not accepted: requirements");
    const { stdout } = await bench.run(["evidence"]);
    expect(stdout).toMatch(
      /^R2 +unproven .*\n.*by the examiner.*\n +mutants: \d of \d killed\n +not noticed: src\/price\.js:\d: /m,
    );
    expect(stdout).toMatch(/R2#2 E3 by its author: test\/own\.test\.js: .*\n +mutants: 5 of \d killed/);
    const { requirements } = JSON.parse((await bench.run(["evidence", "--json"])).stdout);
    const [{ mutants, grade, needed }] = requirements[1].evidence;
    expect([grade, needed, mutants.effective - mutants.killed]).toEqual([2, 4, mutants.survivors.length]);
    expect(mutants.survivors.length).toBeGreaterThan(1);
    const read = JSON.stringify(server?.requests.at(-1)?.messages);
    expect(read).toContain("The check is locked, and not yours to mend");
    for (const name of mutants.survivors) expect(read).toContain(JSON.stringify(name).slice(1, -1));
    await bench.run(["report", "--out", "made"]);
    expect(bench.read("made/index.html")).toContain("mutants killed; not noticed: src/price.js:");
  },
  SLOW_MS,
);

const TYPE = `${HEAD}test('is a number', () => assert.equal(typeof price(2, false), 'number'));
`;
const GREP = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
test('has a price', () => assert.match(readFileSync('src/price.js', 'utf8'), /price/));
`;

it(
  "a check that only looks for a word, or for a type, proves nothing",
  async () => {
    const checks = [
      write({ "test/grep.test.js": GREP, "test/type.test.js": TYPE }),
      call("prove", { requirement: "R1", tests: ["test/grep.test.js"] }),
      call("prove", { requirement: "R2", tests: ["test/type.test.js"] }),
    ];
    const { code, stderr } = await computed({ checks, turns: [work] });
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /Proven 0\/2\. Not proven: R1 \(R1#1 grade E1: it passes where 1 functions of 1 files are stubs, .*\); R2 \(R2#1 grade E2: \d of \d mutants killed; not noticed: src\/price\.js:/,
    );
  },
  SLOW_MS,
);
