import { describe, expect, it } from "vitest";
import { ForkBody } from "../../api/fork-body.ts";
import { MakeBody } from "../../api/make-body.ts";
import { ResumeBody } from "../../api/resume-body.ts";
import { helpOn } from "../commands/help.ts";
import { commands, withAllFlags } from "../commands.ts";
import { parseArguments } from "./parse.ts";

const specs = await Promise.all(commands.map(withAllFlags));
const run = specs.find(({ name }) => name === "run");
if (!run) throw new Error("There is no command run.");
const parsed = (...argv: string[]) => {
  const { words, flags } = parseArguments(run, argv);
  return { words, flags: Object.fromEntries(flags) };
};

describe("a command line", () => {
  it("is read with its flags before, after and within the words, with a space or an equals sign", () => {
    const expected = { words: ["a task"], flags: { "--budget": "3", "--json": "" } };
    expect(parsed("a task", "--budget", "3", "--json")).toEqual(expected);
    expect(parsed("--json", "--budget=3", "a task")).toEqual(expected);
  });

  it("keeps equals signs and commas inside a value, and takes the last of a flag that comes twice", () => {
    expect(parsed("--base-url", "http://h/?a=b", "--price=1,2", "--price", "3,4").flags).toEqual({
      "--base-url": "http://h/?a=b",
      "--price": "3,4",
    });
  });

  it("takes a dash, a negative number, and what follows a double dash for what they are", () => {
    expect(parsed("--spec", "-").flags).toEqual({ "--spec": "-" });
    expect(parsed("--seed", "-5").flags).toEqual({ "--seed": "-5" });
    expect(parsed("--", "--json").words).toEqual(["--json"]);
  });

  it("takes an address after --remote, and leaves any other word alone", () => {
    const remote = (...argv: string[]) => [parsed(...argv).flags["--remote"], parsed(...argv).words];
    expect(remote("--remote", "https://x/v1", "a b")).toEqual(["https://x/v1", ["a b"]]);
    expect(remote("--remote=https://x/v1", "a b")).toEqual(["https://x/v1", ["a b"]]);
    expect(remote("--remote", "a b")).toEqual(["", ["a b"]]);
    expect(remote("a b", "--remote", "--json")).toEqual(["", ["a b"]]);
    expect(remote("--remote")).toEqual(["", []]);
  });

  it("takes a task that begins with a dash for a task, where it holds white space", () => {
    expect(parsed("- make this\n- make that").words).toEqual(["- make this\n- make that"]);
  });

  it("takes a renamed flag by its old name, and says which one that was", () => {
    const { flags, renamed } = parseArguments(run, ["a task", "--on-trap", "skip"]);
    expect(Object.fromEntries(flags)).toEqual({ "--on-stuck": "skip" });
    expect(renamed).toEqual([expect.objectContaining({ name: "--on-stuck", formerly: "--on-trap" })]);
    expect(parseArguments(run, ["a task", "--on-stuck", "skip"]).renamed).toEqual([]);
  });

  it.each([
    [["--nope"], /run has no flag --nope/],
    [["--no-memo"], /The flag --no-memo was removed: each call of a program is executed\. Leave it out\./],
    [["--jsn"], /Did you mean --json\?/],
    [["--json=yes"], /--json takes no value/],
    [["--budget"], /--budget needs a value: --budget USD/],
    [["one task", "another"], /2 tasks where one is expected/],
  ])("is refused: %j", (argv, message) => {
    expect(() => parsed(...argv)).toThrow(message);
  });
});

describe("help", () => {
  it.each(specs.map((spec) => [spec.name, spec] as const))(
    "on %s names each of its flags, within 100 columns",
    (_, spec) => {
      const text = helpOn(spec, "npx l2mac");
      for (const { name } of spec.flags) expect(text).toContain(name);
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
      expect(new Set(spec.flags.map(({ name }) => name)).size).toBe(spec.flags.length);
    },
  );
});

it.each([
  ["resume", ResumeBody],
  ["fork", ForkBody],
  ["make", MakeBody],
] as const)("%s has no flag of a submission that its request does not take", (name, body) => {
  const flags = specs.find((spec) => spec.name === name)?.flags.map((flag) => flag.name) ?? [];
  expect(flags).toContain("--budget");
  const ofSubmission = { "--ask-above": "askAbove", "--effort": "effort", "--on-stuck": "onStuck", "--steps": "steps" };
  for (const [flag, field] of Object.entries(ofSubmission))
    expect([flag, flags.includes(flag) && !(field in body.shape)]).toEqual([flag, false]);
});
