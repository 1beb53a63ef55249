import { describe, expect, it } from "vitest";
import { uncheckedLanguages } from "./unchecked-languages.ts";

const CANNOT = "This computer cannot check Rust: install cargo or choose another language.";
const said = (task: string, programs: string[] = [], paths: string[] = []): string =>
  uncheckedLanguages({ task, programs, paths });

describe("languages that cannot be checked", () => {
  it.each(["Write a calculator in Rust.", "A Rust crate that parses CSV", "using modern Rust, with tests"])(
    "are named with what to do: %s",
    (task) => {
      expect(said(task)).toBe(CANNOT);
      expect(said(task, ["cargo"])).toBe("");
    },
  );

  it.each([
    "A page about Rust on cars",
    "Go through the list",
    "JavaScript and Node",
    "A todo list",
    "An app in C++ with CMake",
  ])("are not mistaken for words: %s", (task) => expect(said(task)).toBe(""));

  it("are also those of the files that a run starts from", () => {
    expect(said("Add a feature.", [], ["src/main.rs", "README.md"])).toBe(CANNOT);
    expect(said("Add a feature.", ["ruby", "go"], ["a.rb", "main.go"])).toBe("");
  });

  it("count by the program that compiles them", () => {
    expect(said("A server in Java")).toContain("cannot check Java: install javac");
    expect(said("A server in Java", ["javac"])).toBe("");
  });

  it("may be checked by what the project declares", () => {
    expect(said("A server in Elixir")).toContain(
      "Elixir is checked only by what the project declares: give it a Makefile",
    );
  });
});
