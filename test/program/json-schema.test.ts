/** Another validator than ours judges the published schema, on programs of all kinds and on broken ones. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { dataOf } from "../../lib/core/program/language/program-data.ts";
import { ProgramFile } from "../../lib/core/program/language/schema.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { anyProgram } from "./any-program.ts";

const schema = JSON.parse(readFileSync(projectFile("docs/reference/program.schema.json"), "utf8"));
const validate = new Ajv2020({ strict: false }).compile(schema);
const accepted = (data: unknown): boolean => validate(data) === true;

type Break = (data: Record<string, unknown>) => void;
const first = (data: Record<string, unknown>): Record<string, unknown> =>
  (data.instructions as Record<string, unknown>[])[0] ?? {};
const BREAKS: Break[] = [
  (data) => Object.assign(first(data), { kind: "goto" }),
  (data) => Object.assign(first(data), { unknown: 1 }),
  (data) => Object.assign(first(data), { id: "a b" }),
  (data) => Object.assign(first(data), { needs: "a" }),
  (data) => Object.assign(first(data), { kind: "repeat", atMost: 0 }),
  (data) => Object.assign(first(data), { kind: "for_each", items: "*.ts" }),
  (data) => Object.assign(first(data), { budget: { usd: -1 } }),
  (data) => Object.assign(data, { requirements: [{ id: "X", text: "a" }] }),
  (data) => Object.assign(data, { instructions: { first: "a" } }),
  (data) => delete data.instructions,
];

describe("the published schema of programs", () => {
  it("accepts every program that we write, and what we accept", () => {
    fc.assert(
      fc.property(anyProgram, (program) => accepted(JSON.parse(JSON.stringify(dataOf(program))))),
      { numRuns: 150 },
    );
    for (const name of ["program", "every-kind"]) {
      expect(accepted(parse(readFileSync(projectFile(`examples/${name}.yaml`), "utf8"))), name).toBe(true);
      expect(accepted(JSON.parse(readFileSync(projectFile(`examples/${name}.json`), "utf8"))), name).toBe(true);
    }
  });

  it("refuses what we refuse", () => {
    fc.assert(
      fc.property(anyProgram, fc.constantFrom(...BREAKS), (program, spoil) => {
        const data = JSON.parse(JSON.stringify(dataOf(program)));
        spoil(data);
        expect([ProgramFile.safeParse(data).success, accepted(data)]).toEqual([false, false]);
      }),
      { numRuns: 150 },
    );
  });
});
