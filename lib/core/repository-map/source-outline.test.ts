import { describe, expect, it } from "vitest";
import { outlineOf } from "./source-outline.ts";

const outline = (path: string, ...lines: string[]) => outlineOf(path, lines.join("\n"));

describe("the outline of a source file", () => {
  it("has what TypeScript exports, one by one and in lists, and from where it imports", () => {
    expect(
      outline(
        "src/a.ts",
        'import { b } from "./b.ts";',
        "import {",
        "  c,",
        '} from "../c.ts";',
        'const late = await import("./late.ts");',
        "export const one = 1;",
        "export async function two() {}",
        "export interface Three { four: number }",
        "export default class Five {}",
        "export {",
        "  six,",
        "  seven as eight,",
        "  type Nine,",
        "};",
        'export * from "./all.ts";',
        "const hidden = 1;",
      ),
    ).toEqual({
      exports: ["one", "two", "Three", "Five", "six", "eight", "Nine"],
      imports: ["./b.ts", "../c.ts", "./late.ts", "./all.ts"],
    });
  });

  it("has what CommonJS exports", () => {
    expect(
      outline(
        "a.js",
        'const b = require("./b");',
        "module.exports = {",
        "  one,",
        "  two: b.two,",
        "};",
        "exports.three = 3;",
      ),
    ).toEqual({ exports: ["one", "two", "three"], imports: ["./b"] });
  });

  it("has what a module of Python offers, without what is private", () => {
    expect(
      outline(
        "app/store.py",
        "import os, app.settings as settings",
        "from .models import User, Team as Group",
        "LIMIT = 10",
        "class Store:",
        "    def get(self): ...",
        "async def load(): ...",
        "def _hidden(): ...",
      ),
    ).toEqual({
      exports: ["LIMIT", "Store", "load"],
      imports: ["os", "app.settings", ".models", ".models.User", ".models.Group"],
    });
  });

  it("has what is public in Go, Rust and Java", () => {
    expect(
      outline(
        "a.go",
        'import "example.org/app/store"',
        "import (",
        '\tf "fmt"',
        ")",
        "func Run() {}",
        "func hidden() {}",
      ),
    ).toEqual({
      exports: ["Run"],
      imports: ["example.org/app/store", "fmt"],
    });
    expect(
      outline("src/lib.rs", "mod store;", "use crate::store::Store;", "pub async fn run() {}", "fn hidden() {}"),
    ).toEqual({
      exports: ["run"],
      imports: ["self::store", "crate::store::Store"],
    });
    expect(outline("A.java", "import org.example.Store;", "public final class A {", "  public void run() {}")).toEqual({
      exports: ["A"],
      imports: ["org.example.Store"],
    });
  });

  it("leaves out lines that a program wrote, and files of other kinds", () => {
    expect(outline("a.js", `export const a = "${"x".repeat(500)}";`, "export const b = 1;")?.exports).toEqual(["b"]);
    expect(outline("README.md", "export const a = 1;")).toBeUndefined();
  });
});
