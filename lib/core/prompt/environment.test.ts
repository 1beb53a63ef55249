import { expect, it } from "vitest";
import { likelyTokens } from "../turn/estimate.ts";
import { type Environment, environmentText } from "./environment.ts";

const all = { node: "24.11.1", npm: "11.6.2", python3: "3.13.5", go: "1.26.8", cargo: "1.95.0", javac: "17.0.15" };
const more = { mvn: "3", ruby: "3.1.7", php: "8.2.36", cmake: "", make: "", shellcheck: "" };
const full: Environment = { system: "Linux x64", programs: { ...all, ...more }, packages: "installed" };
const use = { installs: true, tests: true, commands: true, checkMs: 180_000 };

it("names what is there with its version, and what is absent", () => {
  const text = environmentText({ ...full, programs: { node: "24", npm: "", python3: "3.13" } }, use);
  expect(text).toMatch(
    /^Checks and commands run on Linux x64 with Node 24, npm, Python 3\.13\. Absent: Go, cargo, JDK, Maven, Ruby, PHP, CMake, make\.\n/,
  );
  expect(text).toContain("counted with node --test, vitest, jest, mocha, pytest, unittest. Any other runner");
  expect(text).not.toContain("cargo test");
});

it("states installs, network, time limits, and how a server is started", () => {
  const text = environmentText(full, { ...use, checkMs: 600_000 });
  expect(text).toContain("Install scripts do not run");
  expect(text).toContain("no other network than 127.0.0.1");
  expect(text).toContain("A check ends after 600 s");
  expect(text).toContain('["sh", "-c", "node server.js & sleep 1; node ask.js"]');
});

it("says what holds where nothing is installed, by option or in an image", () => {
  expect(environmentText(full, { ...use, installs: false })).toContain("Packages are not installed");
  const inImage = environmentText({ ...full, packages: "image" }, use);
  expect(inImage).toContain("only those of the evaluator's image");
  expect(inImage).not.toContain("Install scripts");
});

it("leaves out what the run does not use", () => {
  const text = environmentText(full, { ...use, tests: false, commands: false });
  expect(text).not.toMatch(/cases|commands? run|server/);
});

it("takes about 300 tokens at most", () => {
  expect(likelyTokens(environmentText(full, use).length, { tokensPerByte: 0 })).toBeLessThanOrEqual(420);
  expect(environmentText(full, use).length / 4).toBeLessThanOrEqual(300);
});
