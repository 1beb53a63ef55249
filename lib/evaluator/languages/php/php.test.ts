import { afterAll, describe, expect, it } from "vitest";
import { evaluation, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { findProgram } from "../../process/find-program.ts";
import { composerManifest, fitsComposer, packageOf } from "./composer-manifest.ts";

afterAll(removeFolders);

describe("a composer.json", () => {
  it("says which packages, extensions and PHP are asked for", () => {
    const text = JSON.stringify({
      require: { php: ">=8.1", "ext-intl": "*", "monolog/monolog": "^3" },
      "require-dev": { "phpunit/phpunit": "^9.5" },
      autoload: { "psr-4": { "App\\": "src/" } },
      scripts: { test: "phpunit" },
    });
    expect(composerManifest(text)).toEqual({
      php: ">=8.1",
      phpunit: "^9.5",
      packages: ["monolog/monolog"],
      extensions: ["intl"],
      prefixes: ["App\\"],
      testScript: true,
    });
  });

  it.each(["", "[]", "{", "7", '{"require": 7, "scripts": []}'])("that is none asks for nothing: %s", (text) => {
    expect(composerManifest(text)?.packages ?? []).toEqual([]);
  });

  it("asks in its own way for versions", () => {
    expect(
      ["^9.5", "~9.5", ">=8.1", "9.*", "^8|^9", "^9.5 || ^10", "*"].every((one) => fitsComposer("9.6.7", one)),
    ).toBe(true);
    expect(["^10", "~8.0", "^11.0 | ^12", "9.5.*"].some((one) => fitsComposer("9.6.7", one))).toBe(false);
  });

  it("has the package of a class", () => {
    const packages = ["guzzlehttp/guzzle", "symfony/console", "symfony/yaml"];
    expect(packageOf("Symfony\\Component\\Yaml\\Yaml", packages)).toBe("symfony/yaml");
    expect(packageOf("GuzzleHttp\\Client", packages)).toBe("guzzlehttp/guzzle");
    expect(packageOf("Other\\Thing", packages)).toBe(packages.join(", "));
  });
});

const path = (process.env.PATH ?? "").split(":");
const noPhpunit = !toolchain.tools.php || !findProgram("phpunit", path) || !findProgram("composer", path);

const COMPOSER = {
  "composer.json": JSON.stringify({ name: "a/b", autoload: { "psr-4": { "App\\": "src/" } } }),
};
const calc = (sum: string): Record<string, string> => ({
  "src/Calc.php": `<?php\nnamespace App;\n\nclass Calc\n{\n    public function add(int $a, int $b): int\n    {\n        return ${sum};\n    }\n}\n`,
});
const test = (...body: string[]): Record<string, string> => ({
  "tests/CalcTest.php": `<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class CalcTest extends TestCase\n{\n    public function testAdd(): void\n    {\n        ${body.join("\n        ")}\n    }\n}\n`,
});
const ADDS = "$this->assertSame(3, (new App\\Calc())->add(1, 2));";
const SETTINGS = {
  "phpunit.xml":
    '<?xml version="1.0"?>\n<phpunit bootstrap="vendor/autoload.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
};
const NAME = "tests/CalcTest.php > testAdd";

describe.skipIf(noPhpunit)("PHP", () => {
  it.each([
    ["with settings", SETTINGS],
    ["without", {}],
  ])("passes where the tests pass, and fails where one fails, %s", async (_, settings) => {
    const passing = await evaluation({ ...COMPOSER, ...settings, ...calc("$a + $b"), ...test(ADDS) });
    expect(passing.syntax).toMatchObject({ status: "passed", errors: [] });
    expect(passing.tests).toMatchObject({ status: "passed", passed: 1, runner: "phpunit", cases: [{ name: NAME }] });
    const { tests } = await evaluation({ ...COMPOSER, ...settings, ...calc("$a - $b"), ...test(ADDS) });
    expect(tests).toMatchObject({ status: "failed", failed: 1, cases: [{ name: NAME, status: "failed" }] });
  });

  it("names each mistake of syntax with its line", async () => {
    const { syntax } = await evaluation({ "a.php": "<?php\nfunction a( {\n", "b.php": "<?php\necho 1;\n" });
    expect(syntax).toMatchObject({ status: "failed", errors: [{ path: "a.php", line: 2, rule: "syntax" }] });
  });

  it.each([
    ["ends early", ["exit(0);"]],
    ["asserts nothing", [""]],
    ["is skipped", ["$this->markTestSkipped('later');"]],
  ])("is never green after a test that %s", async (_, body) => {
    expect((await evaluation({ ...COMPOSER, ...calc("$a + $b"), ...test(...body) })).tests.status).not.toBe("passed");
  });

  const requiring = (require: Record<string, string>): Record<string, string> => ({
    "composer.json": JSON.stringify({ autoload: { "psr-4": { "App\\": "src/" } }, require }),
  });

  it("is unchecked where a declared package is not here, and names it once", async () => {
    const tree = { ...calc("$a + $b"), ...test("new Monolog\\Logger('x');") };
    const found = await evaluation({ ...tree, ...requiring({ "monolog/monolog": "^3" }) });
    expect(found.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(found.missingPackages).toEqual(["monolog/monolog"]);
    expect((await evaluation({ ...tree, ...COMPOSER })).tests).toMatchObject({ status: "failed" });
  });

  it("is unchecked where PHPUnit is here in another version only", async () => {
    const found = await evaluation({ ...calc("$a + $b"), ...test(ADDS), ...requiring({ "phpunit/phpunit": "^99" }) });
    expect(found.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(found.missingPackages[0]).toMatch(/^phpunit\/phpunit \^99 \(there is \d/);
  });

  it("is unchecked where an extension is not here", async () => {
    const found = await evaluation({
      ...calc("$a + $b"),
      ...test(ADDS),
      ...requiring({ "ext-l2mac": "*", "ext-json": "*" }),
    });
    expect(found.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(found.missingPackages).toEqual(["ext-l2mac"]);
  });

  it("is unchecked where the project asks for a newer PHP", async () => {
    const found = await evaluation({ ...calc("$a + $b"), ...test(ADDS), ...requiring({ php: ">=99" }) });
    expect(found.tests).toMatchObject({ status: "not_run", reason: "no_toolchain" });
  });

  it("counts a test script that is no PHPUnit by its exit code", async () => {
    const script = (code: number): Record<string, string> => ({
      "composer.json": JSON.stringify({ scripts: { test: "@php check.php" } }),
      "check.php": `<?php\nexit(${code});\n`,
    });
    expect((await evaluation(script(0))).tests).toMatchObject({ status: "passed", passed: 1, runner: "composer test" });
    expect((await evaluation(script(1))).tests).toMatchObject({ status: "failed", failed: 1 });
  });
});

it("stays unchecked without PHP, and says what to do", async () => {
  const parts = { toolchain: { ...toolchain, tools: {} } };
  const { syntax, tests } = await evaluation({ ...calc("$a"), ...test(ADDS) }, { syntax: {}, tests: {} }, parts);
  expect(syntax).toMatchObject({ status: "not_run", reason: "no_toolchain" });
  expect(tests.detail).toContain("PHP (install it, or choose another language)");
});
