import { describe, expect, it } from "vitest";
import { readYaml } from "./yaml-manifest.ts";

describe("YAML of a package manager", () => {
  it("is read as data", () => {
    const text =
      "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n    cpu: [x64]\n";
    const packages = { "a@1.0.0": { resolution: { integrity: "sha512-x" }, cpu: ["x64"] } };
    expect(readYaml(text)).toEqual({ lockfileVersion: "9.0", packages });
    expect(readYaml("a: !nothing b\n")).toEqual({ a: "b" });
  });

  it.each([
    ["an alias", "a: &a x\nb: *a\n"],
    ["two documents", "a: b\n---\nc: d\n"],
    ["a flow without an end", "a: [b\n"],
    ["a line without an end", `a: ${"b".repeat(10_001)}`],
    ["nothing", ""],
  ])("is none: %s", (_name, text) => {
    expect(readYaml(text)).toBeUndefined();
  });

  it("is left where it takes too long to read", () => {
    const text = "a: b\n".repeat(2_000);
    expect(readYaml(text)).toEqual({ a: "b" });
    let at = 0;
    const slow = (): number => {
      at += 500;
      return at;
    };
    expect(readYaml(text, slow)).toBeUndefined();
  });
});
