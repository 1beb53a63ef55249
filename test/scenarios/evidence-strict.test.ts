/** Strict evidence: a requirement is proven where its check notices small changes of the code. Through the real command. */
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

async function computed(turns: ScriptedAnswer[]) {
  server = await startScriptedServer({
    answer: ({ messages }) =>
      turns[messages.filter(({ role }) => role === "assistant").length] ??
      call("complete_instruction", { summary: "done" }),
  });
  const program = {
    requirements: ["R1", "R2"].map((id) => ({ id, text: `A price is right, says ${id}.` })),
    instructions: [{ title: "Prices", text: "Write them.", requirements: ["R1", "R2"] }],
  };
  bench.write("program.json", JSON.stringify(program));
  const model = ["--base-url", server.url, "--model", "scripted", "--price", "0,0"];
  return bench.run(["Price list", "--program", "program.json", "--no-install", "--evidence", "strict", ...model]);
}

it(
  "good tests prove by grade E3, here and elsewhere; what weak ones do not notice is named to the model and the user",
  async () => {
    const { code, stderr } = await computed([
      write({
        "package.json": '{ "name": "prices", "type": "module" }\n',
        ...{ "src/price.js": CODE, "test/good.test.js": GOOD, "test/weak.test.js": WEAK },
      }),
      call("prove", { requirement: "R1", tests: ["test/good.test.js"] }),
      call("prove", { requirement: "R2", tests: ["test/weak.test.js"] }),
    ]);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /^partial: .*Proven 1\/2\. Not proven: R2 \(R2#1 grade E2: \d of \d mutants killed; not noticed: src\/price\.js:/m,
    );
    const { stdout } = await bench.run(["evidence"]);
    expect(stdout).toMatch(/^R1 +proven E3 .*\n.*\n +mutants: 5 of \d killed$/m);
    expect(stdout).toMatch(/^R2 +unproven .*\n.*\n +mutants: \d of \d killed\n +not noticed: src\/price\.js:\d: /m);
    const { requirements } = JSON.parse((await bench.run(["evidence", "--json"])).stdout);
    const [{ mutants, grade, needed }] = requirements[1].evidence;
    expect([grade, needed, mutants.effective - mutants.killed]).toEqual([2, 3, mutants.survivors.length]);
    expect(mutants.survivors.length).toBeGreaterThan(1);
    const read = JSON.stringify(server?.requests.at(-1)?.messages);
    expect(read).toContain("They are proven strictly");
    for (const name of mutants.survivors) expect(read).toContain(JSON.stringify(name).slice(1, -1));
    expect((await bench.run(["get", "--zip", "made.zip"])).code).toBe(0);
    const { stdout: shown, stderr: said } = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect(`${shown}${said}`).toMatch(/R1#1 E3 +green/);
  },
  SLOW_MS,
);
