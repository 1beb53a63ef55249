import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../test/doubles/command.ts";

let bench: Bench;
beforeAll(() => {
  bench = aBench();
  bench.write("program.md", "1. **Store** (R7)\n\n   Write `store.js`.\n");
  bench.write("broken.json", '{"instructions": 3}');
  bench.write("binary.md", Uint8Array.of(0xff, 0xfe, 0x00));
  bench.write("empty.md", "\n \n");
  mkdirSync(join(bench.folder, "pack"));
  bench.write("pack/plan.md", "Plan {{taks}}.\n");
  bench.write("pack/pack.json", '{"name": "x", "check": true}');
  mkdirSync(join(bench.folder, "occupied"));
  bench.write("occupied/mine.txt", "mine");
  for (const folder of ["nothing", "given", "start"]) mkdirSync(join(bench.folder, folder));
  bench.write("given/test_a.py", "def test_a():\n    assert True\n");
  bench.write("start/Test_a.py", "");
});
afterAll(() => bench.remove());

const TASK = "make a thing";
const LOCAL = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m"];

interface Case {
  given: string[];
  code: number;
  says: RegExp;
  next: RegExp;
  env?: Record<string, string>;
}

const cases: Record<string, Case> = {
  "an empty task": { given: [""], code: 2, says: /The task is empty/, next: /l2mac run "<task>"/ },
  "a task of white space": { given: ["  \n "], code: 2, says: /The task is empty/, next: /l2mac run "<task>"/ },
  "no task": { given: ["run"], code: 2, says: /There is no task/, next: /--spec FILE/ },
  "two tasks": { given: ["a b", "c d"], code: 2, says: /2 tasks where one is expected/, next: /l2mac help run/ },
  "a task and a spec": { given: [TASK, "--spec", "program.md"], code: 2, says: /two tasks/, next: /one of them/ },
  "a file in place of a task": {
    given: ["run", "program.md"],
    code: 2,
    says: /is a file, and no task/,
    next: /--spec program\.md/,
  },
  "a file in place of a task, marked": {
    given: ["run", "@program.md"],
    code: 2,
    says: /Nothing was sent/,
    next: /--spec program\.md/,
  },
  "a spec that is not there": {
    given: ["--spec", "no.md"],
    code: 2,
    says: /no such file/,
    next: /path of a text file/,
  },
  "a spec that is a folder": { given: ["--spec", "."], code: 2, says: /it is a folder/, next: /path of a text file/ },
  "a spec that is not text": { given: ["--spec", "binary.md"], code: 2, says: /not UTF-8/, next: /UTF-8/ },
  "a spec that is empty": { given: ["--spec", "empty.md"], code: 2, says: /the task is empty/, next: /Write what/ },
  "two requirements of one id": {
    given: ["R1: a\nR1: b"],
    code: 2,
    says: /R1 is in the task twice/,
    next: /Change the task/,
  },
  "a task above half the window": {
    given: [`${"long ".repeat(6_000)}task`, ...LOCAL],
    code: 2,
    says: /about 1\d{4} tokens, more than half of the 8192/,
    next: /larger window/,
  },
  "a mistyped command": { given: ["lits"], code: 2, says: /no command lits\. Did you mean list\?/, next: /l2mac help/ },
  "a command of a later release": { given: ["rewind"], code: 2, says: /no command rewind/, next: /l2mac help/ },
  "a command of an earlier release": {
    given: ["compile", "program.md", "--asl"],
    code: 2,
    says: /The command compile was removed: .* plan --lint FILE checks a program and counts its steps\./,
    next: /l2mac help plan/,
  },
  "a mistyped flag": {
    given: [TASK, "--bugdet", "3"],
    code: 2,
    says: /Did you mean --budget\?/,
    next: /l2mac help run/,
  },
  "an approval of something that cannot wait": {
    given: [TASK, "--approve", "everything"],
    code: 2,
    says: /--approve takes one of plan, not "everything"/,
    next: /help run/,
  },
  "a list of models with a hole": {
    ...{ given: [TASK, "--model", "a,,b"], code: 2, says: /different ones with commas/, next: /help run/ },
  },
  "a model that is its own fallback": {
    ...{ given: [TASK, "--model", "a,a"], code: 2, says: /different ones with commas/, next: /help run/ },
  },
  "a flag without its value": { given: [TASK, "--budget"], code: 2, says: /--budget needs a value/, next: /help run/ },
  "a flag followed by a flag": {
    given: [TASK, "--budget", "--json"],
    code: 2,
    says: /needs a value/,
    next: /help run/,
  },
  "another action for a stuck instruction": {
    ...{ given: [TASK, "--on-stuck", "panic"], code: 2, says: /one of stop, skip/, next: /help run/ },
  },
  "a number that is none": { given: [TASK, "--steps", "abc"], code: 2, says: /whole number from 1/, next: /help run/ },
  "a negative budget": { given: [TASK, "--budget", "-5"], code: 2, says: /number above 0/, next: /help run/ },
  "a price of one number": { given: [TASK, "--price", "3"], code: 2, says: /two numbers/, next: /help run/ },
  "a price that is endless": { given: [TASK, "--price", "1e999,1"], code: 2, says: /two numbers/, next: /help run/ },
  "an unknown domain": { given: [TASK, "--domain", "novel"], code: 2, says: /one of codebase, book/, next: /help run/ },
  "an unknown tool": { given: [TASK, "--tools", "write_file"], code: 2, says: /write_files/, next: /help run/ },
  "a name with a path in it": { given: [TASK, "--name", "../x"], code: 2, says: /letters, digits/, next: /--name x/ },
  "an occupied output folder": {
    given: [TASK, "--out", "occupied"],
    code: 2,
    says: /not empty/,
    next: /does not exist/,
  },
  "a file as output folder": { given: [TASK, "--out", "empty.md"], code: 2, says: /cannot be a folder/, next: /--out/ },
  "a program that is not there": {
    given: [TASK, "--program", "no.md"],
    code: 2,
    says: /no such file/,
    next: /programs\.md/,
  },
  "a program of no known form": {
    given: [TASK, "--program", "x.txt"],
    code: 2,
    says: /ends in \.md/,
    next: /programs\.md/,
  },
  "a program with a mistake": {
    given: [TASK, "--program", "broken.json"],
    code: 2,
    says: /instructions/,
    next: /plan --lint \S*broken\.json/,
  },
  "a program that names unknown requirements": {
    given: [TASK, "--program", "program.md"],
    code: 2,
    says: /do not exist: R7 \("Store"\); there are none in the task either/,
    next: /List them/,
  },
  "a prompt pack with several mistakes": {
    given: [TASK, "--prompts", "pack"],
    code: 2,
    says: /check is no field[\s\S]*plan\.md line 1: \{\{taks\}\} is unknown/,
    next: /prompts\.md/,
  },
  "a folder that is not there": {
    given: [TASK, "--from", "no"],
    code: 2,
    says: /nothing of that name/,
    next: /--from/,
  },
  "tests that are not there": {
    given: [TASK, "--tests", "no"],
    code: 2,
    says: /--tests .*nothing of that name/,
    next: /--tests/,
  },
  "tests without a file": { given: [TASK, "--tests", "nothing"], code: 2, says: /no file in it/, next: /--tests/ },
  "tests that no runner would find": {
    given: [TASK, "--tests", "given", "--no-tests"],
    code: 2,
    says: /running tests is turned off/,
    next: /--tests or --no-tests/,
  },
  "tests of a book": {
    given: [TASK, "--tests", "given", "--domain", "book"],
    code: 2,
    says: /no tests are run/,
    next: /--domain codebase/,
  },
  "tests beside a file whose name differs in case": {
    given: [TASK, "--tests", "given", "--from", "start"],
    code: 2,
    says: /test_a\.py.*differ only in case/,
    next: /--tests/,
  },
  "a zip that is none": { given: [TASK, "--from", "empty.md"], code: 2, says: /no zip file/, next: /--from/ },
  "a missing key": { given: [TASK, "--model", "gpt-5"], code: 3, says: /No API key/, next: /Set OPENAI_API_KEY/ },
  "a missing model": {
    given: [TASK],
    code: 3,
    says: /No model is chosen(.*\n)*.* {2}or: l2mac run --rehearse/,
    // Where a model server of this computer answers, its command comes first.
    next: /^Next: (l2mac run "<task>" --base-url http:\/\/127\.0\.0\.1:|Set OPENAI_API_KEY, ANTHROPIC_API_KEY)/,
  },
  "an unknown price": {
    given: [TASK, "--model", "nobody-knows"],
    code: 3,
    says: /No price is known for nobody-knows/,
    next: /--price IN,OUT/,
    env: { OPENAI_API_KEY: "k" },
  },
  "a ceiling that cannot be kept": {
    given: [TASK, "--model", "nobody-knows", "--unpriced", "--budget", "3"],
    code: 2,
    says: /could not be kept/,
    next: /--price/,
    env: { OPENAI_API_KEY: "k" },
  },
  "a base URL that is none": {
    given: [TASK, "--base-url", "here"],
    code: 3,
    says: /not an http/,
    next: /OPENAI_BASE_URL/,
  },
  "a variable that is no number": {
    given: [TASK],
    code: 3,
    says: /L2MAC_BUDGET takes a number above 0/,
    next: /l2mac help run/,
    env: { L2MAC_BUDGET: "lots" },
  },
  "a run that does not exist": { given: ["status", "nosuch"], code: 2, says: /no runs? /, next: /l2mac/ },
  "help on no command": { given: ["help", "nope"], code: 2, says: /no command nope\.$/m, next: /l2mac help$/ },
  "a word too much": {
    given: ["list", "all"],
    code: 2,
    says: /list takes no arguments \(got "all"\)\./,
    next: /l2mac help list/,
  },
};

describe("what cannot be done is refused with one message, the next thing to do, and an exit code:", () => {
  it.each(Object.entries(cases))("%s", async (_, { given, code, says, next, env = {} }) => {
    Object.assign(bench.env, { OPENAI_API_KEY: "", L2MAC_BUDGET: "", ...env });
    const ended = await bench.run(given);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(/^l2mac: /);
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr.split("\n").find((line) => line.startsWith("Next: "))).toMatch(next);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it("and no run is begun by any of it", async () => {
    expect((await bench.run(["list"])).stdout).toBe("");
  });
});
