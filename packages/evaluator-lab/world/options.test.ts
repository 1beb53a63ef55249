import { describe, expect, it } from "vitest";
import { chooseProjects, readOptions } from "./options.ts";
import { labelOf, type Project, readCases, readLists } from "./project.ts";

const project = (name: string, more: Partial<Project> = {}): Project => ({
  ...{ name, from: "pypi", version: "1", licence: "MIT", runner: "pytest", third: 1 },
  ...more,
});
const projects = [
  project("a"),
  project("b", { third: 2 }),
  project("c", { from: "npm" }),
  project("d", { from: "npm" }),
];
const chosen = (...args: string[]): string[] => chooseProjects(projects, readOptions(args, {})).map(labelOf);

describe("options", () => {
  it("choose all, some by name, a third or a shard", () => {
    expect(chosen()).toEqual(["pypi:a", "pypi:b", "npm:c", "npm:d"]);
    expect(chosen("--only", "a", "npm:c")).toEqual(["pypi:a", "npm:c"]);
    expect(chosen("npm:")).toEqual(["npm:c", "npm:d"]);
    expect(chosen("--third", "2")).toEqual(["pypi:b"]);
    expect(chosen("--shard", "2/2")).toEqual(["pypi:b", "npm:d"]);
  });

  it("refuse what cannot be meant", () => {
    expect(() => chosen("x")).toThrow("There is no project x in the lists.");
    expect(() => chosen("--only")).toThrow("--only needs the names of projects.");
    expect(() => chosen("--third", "4")).toThrow("--third 4: it must be a whole number from 1 on to 3.");
    expect(() => chosen("--shard", "3/2")).toThrow("--shard 3/2: it must be like 2/5.");
    expect(() => chosen("--jobs", "0")).toThrow("--jobs 0");
  });

  it("find the folder in the environment too", () => {
    expect(readOptions([], { L2MAC_WORLD: "/kept" }).folder).toBe("/kept");
    expect(readOptions(["--folder", "/other"], { L2MAC_WORLD: "/kept" }).folder).toBe("/other");
  });
});

describe("the lists", () => {
  const all = [...readLists(), ...readCases()];

  it("name at least 150 real projects, each once, with a licence and exact version", () => {
    expect(readLists().length).toBeGreaterThanOrEqual(150);
    expect(new Set(all.map(labelOf)).size).toBe(all.length);
    expect(readLists().filter(({ version, licence }) => !/^v?\d/.test(version) || licence === "")).toEqual([]);
  });

  it("have something of every registry in the third that CI judges", () => {
    const first = readLists().filter(({ third }) => third === 1);
    expect(new Set(first.map(({ from }) => from))).toEqual(new Set(["pypi", "npm", "go", "crates"]));
    expect(first.length).toBeGreaterThanOrEqual(50);
  });
});
