/** Which changes mutants make, that they are code, and that the same check has the same ones. */
import { createHash } from "node:crypto";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { mutantsOf } from "./mutants.ts";
import { isDecided, isStrong, type MutantScore, scoreWords } from "./score.ts";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const made = (path: string, text: string, { check = "R1", texts = [] as string[] } = {}) =>
  mutantsOf([{ path, text }], { check, texts, hashOf }).map((make) => make());
const changes = (path: string, text: string): string[] =>
  made(path, text)
    .map(({ name }) => name.slice(path.length + 1))
    .toSorted();

const TYPED = `import { list } from "./list.ts";
const LIMIT = 7;
export function total(items: Map<string, number>, rate: number): number {
  "use strict";
  if (items.size < 1 || !rate) return 0;
  for (const [name, price] of items) list.push(price);
  this.sum += { "a": 1, 2: 3 }.a * 2;
  list.push("x");
  if (rate !== LIMIT) throw new Error("too " + "much");
  return list.sum() - rate;
}
export const same = (x: string) => x;
class Till {
  constructor() { console.warn("made"); }
}
`;
const PYTHON = `LIMIT = 3


def f(a, *b):
    """Doc."""
    if a is not None and a not in b:
        return a + 1
    elif not a: return (b,
        "x")
    self.x = [3]
    logger.info("done")
    b.append(b"k")
    raise ValueError("no " + str(a))
`;

describe("the changes", () => {
  it("of JavaScript and TypeScript are in functions, and spare what errors and logs say", () => {
    expect(changes("a.ts", TYPED)).toEqual([
      "10: - became +",
      "10: return list.sum() - rate became return undefined",
      "12: return x became return undefined",
      ...["5: ! was removed", "5: 0 became 1", "5: 1 became 2", "5: < became <="],
      ...["5: return 0 became return undefined", "5: || became &&"],
      ...["7: * became /", "7: += became -=", "7: 1 became 2", "7: 2 became 3", "7: 3 became 4"],
      '7: this.sum += { "a": 1, 2: 3 }.a * 2 was removed',
      ...['8: "x" became ""', '8: list.push("x") was removed'],
      ...["9: !== became ===", '9: throw new Error("too " + "much") was removed'],
    ]);
  });

  it("of Python are in functions, and spare documentation", () => {
    expect(changes("a.py", PYTHON)).toEqual([
      ...["10: 3 became 4", "10: self.x = [3] was removed", '12: b"k" became b""', '12: b.append(b"k") was removed'],
      '13: raise ValueError("no " + str(a)) was removed',
      ...["6: and became or", "6: not was removed", "6: not was removed"],
      ...["7: + became -", "7: 1 became 2", "7: return a + 1 became return None"],
      ...["8: not was removed", '8: return (b, "x") became return None', '9: "x" became ""'],
    ]);
  });

  it("count what is counted the other way, and take the other side of a default", () => {
    const text =
      "function next(a, b) {\n  a.count++;\n  for (let i = a; i < b; i++) --a.left;\n  return a.step ?? b;\n}\n";
    const chain = "const first = (a) => a.one ?? a.two ?? 3;\n";
    expect(changes("a.js", chain)).toEqual(["1: 3 became 4", "1: return a.one ?? a.two ?? 3 became return undefined"]);
    expect(changes("a.js", text)).toEqual([
      ...["2: a.count++ was removed", "3: < became <=", "4: ?? became &&"],
      "4: return a.step ?? b became return undefined",
    ]);
  });

  it("of Python negate what is asked of lists and of identity, and leave loops as they are", () => {
    const text = "def f(a, b):\n    for c, (d, *e) in b:\n        if c is None or d in [e for e in a]: a.go()\n";
    expect(changes("a.py", text)).toEqual([
      ...["3: a.go() was removed", "3: in became not in", "3: is became is not", "3: or became and"],
    ]);
    for (const { probe } of made("a.py", text)) expect(probe).toContain("for c, (d, *e) in b:");
  });

  it("of Python reach a function that is written in one line", () => {
    const expected = ["1: + became -", "1: 1 became 2", "1: return a + 1 became return None"];
    expect(changes("a.py", "def f(a): return a + 1\n")).toEqual(expected);
  });

  it("leave words alone that every object has", () => {
    const text = "function has(own) {\n  return constructor(own) || own.toString === valueOf;\n}\n";
    const expected = ["2: === became !==", "2: return constructor(own) || own.toString… became return undefined"];
    expect(changes("a.js", text)).toEqual([...expected, "2: || became &&"].toSorted());
    expect(changes("a.py", "def has(own):\n    return constructor and own.toString\n")).toEqual([
      ...["2: and became or", "2: return constructor and own.toString became return None"],
    ]);
  });

  it("leave code, with the lines where they were, and so does an exception in the same place", () => {
    for (const { text, probe } of made("a.ts", TYPED))
      for (const each of [text, probe]) {
        expect(() => stripTypeScriptTypes(each)).not.toThrow();
        expect(each.split("\n")).toHaveLength(TYPED.split("\n").length);
        expect(each).not.toBe(TYPED);
      }
  });
});

describe("the order", () => {
  it("is the same for the same file and check, and another for another check", () => {
    const names = (check: string) => made("a.ts", TYPED, { check }).map(({ name }) => name);
    expect(names("R1")).toEqual(names("R1"));
    expect(names("R1")).not.toEqual(names("R2"));
    expect(names("R1").toSorted()).toEqual(names("R2").toSorted());
  });

  it("begins with the functions that the check names, and then with what these name", () => {
    const text =
      "function deep(a) { return a; }\nfunction far(a) { return a; }\nfunction near(a) { return deep(a); }\n";
    const lines = made("a.js", text, { texts: ["near(1)"] }).map(({ name }) => name.split(":")[1]);
    expect(lines).toEqual(["3", "1", "2"]);
  });
});

describe("the score", () => {
  const score = (killed: number, effective: number, exhausted = false): MutantScore => ({
    ...{ killed, effective, exhausted, tried: effective },
    survivors: Array.from({ length: effective - killed }, (_, at) => `a.js:${at}: < became <=`),
  });

  it("is E3 from 60 % of three on, or of all that tiny code has", () => {
    const strong = [score(2, 3), score(3, 5), score(5, 8), score(1, 1, true), score(2, 2, true)];
    const weak = [score(1, 3), score(4, 7), score(2, 2), score(0, 0, true), score(1, 2, true)];
    expect([strong.map(isStrong), weak.map(isStrong)]).toEqual([strong.map(() => true), weak.map(() => false)]);
  });

  it("is certain after five that are killed or four that are not, whatever of eight come then", () => {
    expect([score(5, 5), score(5, 8), score(0, 4), score(4, 8)].every(isDecided)).toBe(true);
    expect([score(4, 7), score(4, 4), score(0, 3)].some(isDecided)).toBe(false);
  });

  it("names what was not noticed, and says where there is nothing to judge by", () => {
    expect(scoreWords(score(1, 2))).toBe(
      "1 of 2 mutants killed, too few to judge by; not noticed: a.js:0: < became <=",
    );
    expect(scoreWords(score(0, 0, true))).toBe("no mutant can be made of the code");
    expect(scoreWords({ ...score(0, 0), tried: 3 })).toBe("none of 3 mutants is in code that the check executes");
  });
});
