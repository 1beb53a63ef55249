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

const SLOW_MS = 180_000;
const call = (name: string, args: object): ScriptedAnswer => ({ toolCalls: [{ name, arguments: args }] });
const write = (files: Record<string, string>): ScriptedAnswer =>
  call("write_files", { files: Object.entries(files).map(([path, content]) => ({ path, content })) });
const prove = call("prove", { requirement: "R1", tests: ["test/price.test.js"] });

const CODE = `export function price(count, member) {
  if (count < 1) throw new RangeError("nothing is bought");
  const full = count * 10;
  return member && count >= 5 ? full - 5 : full;
}
`;
const HEAD = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../src/price.js';
`;
const WEAK = `${HEAD}test('is a number', () => assert.equal(typeof price(2, false), 'number'));
test('is a price', () => assert.ok(price(2, false) > 1));
`;
const GOOD = `${HEAD}test('costs ten each', () => assert.equal(price(2, false), 20));
test('members get five off from five on', () => assert.deepEqual([price(4, true), price(5, true)], [40, 45]));
test('others get nothing off', () => assert.equal(price(6, false), 60));
test('one is enough', () => assert.equal(price(1, false), 10));
test('none is too few', () => assert.throws(() => price(0, false), RangeError));
`;

async function computed(turns: ScriptedAnswer[]) {
  server = await startScriptedServer({
    answer: ({ messages }) =>
      turns[messages.filter(({ role }) => role === "assistant").length] ??
      call("complete_instruction", { summary: "done" }),
  });
  const program = {
    requirements: [{ id: "R1", text: "A price is right." }],
    instructions: [{ title: "Prices", text: "Write them.", requirements: ["R1"] }],
  };
  bench.write("program.json", JSON.stringify(program));
  const model = ["--base-url", server.url, "--model", "scripted", "--price", "0,0"];
  return bench.run(["Price list", "--program", "program.json", "--no-install", "--evidence", "strict", ...model]);
}

const files = (test: string) => ({
  "package.json": '{ "name": "prices", "type": "module" }\n',
  "src/price.js": CODE,
  "test/price.test.js": test,
});
const table = async () => JSON.parse((await bench.run(["evidence", "--json"])).stdout);

it(
  "weak tests end partial, and what they do not notice is named to the model and to the user",
  async () => {
    const { code, stderr } = await computed([write(files(WEAK)), prove]);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /^partial: .*Proven 0\/1\. Not proven: R1 \(R1#1 grade E2: \d of \d mutants killed; not noticed: /m,
    );
    const { stdout } = await bench.run(["evidence"]);
    expect(stdout).toMatch(/^R1 +unproven/m);
    expect(stdout).toMatch(/^ +not noticed: src\/price\.js:\d: .+ (?:became|was)/m);
    const [row] = (await table()).requirements;
    const [{ mutants, grade, needed }] = row.evidence;
    expect([grade, needed, mutants.effective - mutants.killed]).toEqual([2, 3, mutants.survivors.length]);
    expect(mutants.survivors.length).toBeGreaterThan(1);
    const read =
      server?.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join("\n") ?? "";
    expect(read).toContain("They are proven strictly");
    for (const name of mutants.survivors) expect(read).toContain(name);
  },
  SLOW_MS,
);

it(
  "good tests prove it by grade E3, also after weak ones, and elsewhere",
  async () => {
    const { code, stderr } = await computed([write(files(WEAK)), prove, write({ "test/price.test.js": GOOD }), prove]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("Proven 1/1.");
    const { stdout } = await bench.run(["evidence"]);
    expect(stdout).toMatch(/^R1 +proven E3/m);
    expect(stdout).toMatch(/^ +mutants: 5 of \d killed$/m);
    expect((await bench.run(["get", "--zip", "made.zip"])).code).toBe(0);
    const verified = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect([verified.code, `${verified.stdout}${verified.stderr}`]).toEqual([0, expect.stringContaining("E3")]);
  },
  SLOW_MS,
);
