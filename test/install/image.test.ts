/** The image with the sandbox: its file is checked here, and built where Docker answers. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../house-rules.ts";

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");

interface Instruction {
  name: string;
  args: string;
}

/** Continued lines joined, comments left out. */
const instructions: Instruction[] = read("Dockerfile")
  .split("\n")
  .filter((line) => !/^\s*(#|$)/.test(line))
  .join("\n")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .map((line) => ({ name: line.split(" ")[0] ?? "", args: line.slice(line.indexOf(" ") + 1) }));
const of = (name: string): string[] => instructions.filter((each) => each.name === name).map(({ args }) => args);

describe("the image", () => {
  it("has only instructions that Docker knows", () => {
    const known = ["FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT", "CMD"];
    expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([]);
  });

  it("begins with the Node that the project has", () => {
    const { devDependencies } = JSON.parse(read("package.json"));
    const bases = of("FROM").map((args) => args.split(" ")[0]);
    expect(new Set(bases)).toEqual(new Set([`node:${devDependencies.node}-bookworm-slim`]));
  });

  it("has the sandbox, and the programs of every language that doctor asks for", () => {
    const installed = of("RUN").join(" ");
    const needed = ["bubblewrap", "git", "make", "python3", "python3-pytest", "pyflakes3", "golang-go", "cargo"];
    for (const name of [...needed, "default-jdk-headless", "maven", "ruby", "php-cli", "composer", "shellcheck"])
      expect(installed).toMatch(new RegExp(` ${name} `));
  });

  it("keeps no lists of packages, and leaves the user root before it runs anything", () => {
    const [install = ""] = of("RUN").filter((args) => args.includes("apt-get install"));
    expect(install).toMatch(
      /^apt-get update && apt-get install --yes --no-install-recommends .* && rm -rf \/var\/lib\/apt\/lists\/\*$/,
    );
    expect(instructions.findLastIndex(({ name }) => name === "RUN")).toBeLessThan(
      instructions.findIndex(({ name }) => name === "USER"),
    );
    expect(of("USER")).toEqual(["node"]);
    expect(of("ENTRYPOINT").map((args) => JSON.parse(args))).toEqual([["l2mac"]]);
  });

  it("is built without what is in a working clone only", () => {
    const left = read(".dockerignore").split("\n");
    for (const name of [".git", "node_modules", ".l2mac", "workspace", ".env*"]) expect(left).toContain(name);
    for (const name of ["lib", "bin", "prompts", "rehearsals", "statemachine"]) expect(left).not.toContain(name);
  });

  // Where Docker answers only: CI has none, and nothing may be skipped there.
  if (spawnSync("docker", ["info"]).status === 0) {
    it("is built, and its sandbox seals", { timeout: 1_800_000 }, () => {
      const docker = (...args: string[]) => spawnSync("docker", args, { cwd: projectRoot, encoding: "utf8" });
      expect(docker("build", "--tag", "l2mac-test", ".")).toMatchObject({ status: 0 });
      const doctor = docker("run", "--rm", ...RUN_FLAGS, "l2mac-test", "doctor");
      expect(doctor.stdout).toMatch(/✔ sandbox +bubblewrap/);
    });
  }
});

/** As docs/install.md has them: they let bubblewrap make its namespaces. */
const RUN_FLAGS = ["seccomp=unconfined", "apparmor=unconfined", "systempaths=unconfined"].flatMap((option) => [
  "--security-opt",
  option,
]);

it("the docs run the image with the flags that its sandbox needs", () => {
  const page = existsSync(join(projectRoot, "docs/install.md")) ? read("docs/install.md") : "";
  for (const flag of RUN_FLAGS.filter((each) => each !== "--security-opt")) expect(page).toContain(flag);
});
