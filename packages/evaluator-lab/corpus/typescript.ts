/** TypeScript projects, with a compiler and without one. */
import { healthy, lines, type Project } from "./project.ts";

const module = '{ "type": "module" }\n';
const settings = '{ "compilerOptions": { "strict": true, "types": [], "noEmit": true }, "include": ["*.ts"] }\n';
const sum = lines("export function sum(a: number, b: number): number {", "  return a + b;", "}");
const test = (expected: number): string =>
  lines(
    'import assert from "node:assert";',
    'import test from "node:test";',
    'import { sum } from "./sum.ts";',
    "",
    `test("adds", () => assert.equal(sum(1, 2), ${expected}));`,
  );

const typescript = (name: string, more: Pick<Project, "files" | "label"> & Partial<Project>): Project => ({
  name: `typescript: ${name}`,
  kind: "typescript",
  ...more,
});

export const typescriptProjects: Project[] = [
  typescript("healthy", {
    files: { "package.json": module, "sum.ts": sum, "sum.test.ts": test(3) },
    label: healthy(1),
  }),
  typescript("healthy, with everything that only looks unfinished", {
    files: {
      "package.json": module,
      "shapes.ts": lines(
        "export interface Drawable {",
        "  draw(): void;",
        "}",
        "export abstract class Shape {",
        "  readonly name: string;",
        "  constructor(name: string) {",
        "    this.name = name;",
        "  }",
        "  abstract area(): number;",
        "  resized(): void {}",
        "}",
        "export class Point extends Shape {",
        "  override area(): number {",
        "    return 0;",
        "  }",
        "  override resized(): void {}",
        "}",
        "export function pick(key: string): string;",
        "export function pick(key: number): number;",
        "export function pick(key: string | number): string | number {",
        "  const empty: Record<string, () => void> = {};",
        "  empty.x = () => {};",
        "  return key;",
        "}",
      ),
      "shapes.d.ts": "export function parse(text: string): string[];\n",
      "shapes.test.ts": lines(
        'import test from "node:test";',
        'import { Point } from "./shapes.ts";',
        "",
        'test("has no area", () => { new Point("a").area(); });',
      ),
    },
    label: healthy(1),
  }),
  typescript("healthy, checked by its compiler", {
    needs: "typescript",
    files: { "tsconfig.json": settings, "sum.ts": sum },
    label: { syntax: "passed", tests: "not_found" },
  }),
  typescript("a type error, found by its compiler", {
    needs: "typescript",
    files: {
      "tsconfig.json": settings,
      "sum.ts": lines("export const one: number = 1;", 'export const two: number = "two";'),
    },
    label: { syntax: "failed", tests: "not_found", findings: ["sum.ts:2 TS2322"] },
  }),
  // Its parser tells where what is not closed begins.
  typescript("a type that is not closed", {
    files: { "package.json": module, "a.ts": lines("export interface A {", "  b: string;", "", "export const c = 1;") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.ts:4 syntax"] },
  }),
  typescript("an expression that is not finished", {
    files: { "package.json": module, "a.ts": lines("const a: number = 1;", "const b: number = ;", "export { a, b };") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.ts:2 syntax"] },
  }),
  typescript("imports a file that is not there", {
    files: { "package.json": module, "main.ts": lines('import { sum } from "./sums.ts";', "", "sum(1, 2);") },
    label: { syntax: "failed", tests: "not_found", findings: ["main.ts:1 import"] },
  }),
  typescript("a failing test", {
    files: { "package.json": module, "sum.ts": sum, "sum.test.ts": test(4) },
    label: { syntax: "passed", tests: "failed", counts: [0, 1, 0, 0] },
  }),
  typescript("no tests at all, and an enum that only a compiler can take", {
    files: { "package.json": module, "a.ts": lines("export enum Colour {", "  Red,", "  Green,", "}") },
    label: { syntax: "passed", tests: "not_found" },
  }),
  typescript("a component without a compiler", {
    files: { "App.tsx": "export const App = ({ a }: { a: string }) => <p>{a}</p>;\n" },
    label: { syntax: "not_run: no_toolchain", tests: "not_found" },
  }),
  typescript("types exported by their names, declarations, folders and what a build makes", {
    files: {
      "package.json": '{ "type": "module", "main": "made/a.js", "scripts": { "build": "tsc" } }\n',
      "a.ts": lines("interface A { b: 1 }", "declare const c: A;", "const d = 1;", "export { A, c, d };"),
      "types/index.d.ts": "export const one: number;\n",
      "types/use.ts": lines('import { one } from "./";', 'import "../made/a.js";', "export const two: number = one;"),
    },
    label: { syntax: "passed", tests: "not_found" },
  }),
];
