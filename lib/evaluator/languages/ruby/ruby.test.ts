import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { gemOf, wantedGems } from "./gems.ts";
import { readExamples } from "./rspec-report.ts";
import { readUnits } from "./unit-output.ts";

afterAll(removeFolders);

const noManifests = { gemfile: "", gemspecs: [], lock: "", version: "" };

describe("what a Ruby project asks for", () => {
  it("is read from its manifests, the lock file deciding about versions", () => {
    const gemfile = `source "https://example.com"\nruby ">= 3.2"\ngem "rack", "~> 3.0", ">= 3.0.1"\ngem 'own', path: "own"\n# gem "off"\ngem("puma")\n`;
    const gemspecs = [`Gem::Specification.new do |s|\n s.name = "shop"\n s.add_dependency "thor", "~> 1.0"\nend`];
    const found = wantedGems({ ...noManifests, gemfile, gemspecs, lock: "GEM\n  specs:\n    puma (6.4.0)\n" });
    expect([...found.gems]).toEqual([
      ["rack", ["~> 3.0", ">= 3.0.1"]],
      ["puma", ["= 6.4.0"]],
      ["thor", ["~> 1.0"]],
    ]);
    expect(found.ruby).toBe("3.2");
  });

  it("is found by what is required", () => {
    const gems = ["rack-test", "activerecord", "nokogiri"];
    expect(["rack/test", "active_record", "nokogiri/xml", "sinatra"].map((name) => gemOf(name, gems))).toEqual([
      "rack-test",
      "activerecord",
      "nokogiri",
      undefined,
    ]);
  });
});

describe("what runners of Ruby report", () => {
  it("is cases, also where tests print in between", () => {
    const text =
      "# Running:\n\nATest#test_a = hello\n0.00 s = .\nATest#test_b = 0.00 s = F\n\n  1) Failure:\nATest#test_b [a.rb:3]:\nExpected: 1\n\n2 runs, 2 assertions, 1 failures, 0 errors, 0 skips\n";
    expect(readUnits(text, () => "test/a.rb")).toEqual({
      cases: [
        { name: "test/a.rb > ATest#test_a", status: "passed" },
        { name: "test/a.rb > ATest#test_b", status: "failed", message: "Expected: 1" },
      ],
      hasEnded: true,
    });
    expect(readUnits("ATest#test_a = 0.00 s = .\n", () => undefined).hasEnded).toBe(false);
  });

  it("counts an error outside of the examples", () => {
    const summary = { errors_outside_of_examples_count: 1 };
    const text = JSON.stringify({
      messages: ["An error occurred while loading ./spec/a_spec.rb."],
      examples: [],
      summary,
    });
    expect(readExamples(text)).toMatchObject([{ name: "spec/a_spec.rb (loading)", status: "error" }]);
    expect(readExamples("{}")).toBeUndefined();
  });
});

const CALC = { "lib/calc.rb": "class Calc\n  def add(a, b)\n    a + b\n  end\nend\n" };
const BROKEN = { "lib/calc.rb": "class Calc\n  def add(a, b)\n    a - b\n  end\nend\n" };
const minitest = (...body: string[]): Files => ({
  "test/calc_test.rb": `require "minitest/autorun"\nrequire_relative "../lib/calc"\nclass CalcTest < Minitest::Test\n  def test_add\n    ${body.join("\n    ")}\n  end\nend\n`,
});
const ADDS = "assert_equal 3, Calc.new.add(1, 2)";
const RAKE = {
  Rakefile: 'require "rake/testtask"\nRake::TestTask.new { |t| t.pattern = "test/**/*_test.rb"; t.libs << "test" }\n',
};
const SPEC = {
  "spec/calc_spec.rb":
    'require_relative "../lib/calc"\nRSpec.describe Calc do\n  it("adds") { expect(Calc.new.add(1, 2)).to eq 3 }\nend\n',
};
const UNIT = {
  "test/test_calc.rb": `require "test/unit"\nrequire_relative "../lib/calc"\nclass TestCalc < Test::Unit::TestCase\n  def test_add\n    ${ADDS}\n  end\nend\n`,
};

describe.skipIf(!toolchain.tools.ruby)("Ruby", () => {
  it.each<[string, Files, string, string]>([
    ["minitest by rake", { ...minitest(ADDS), ...RAKE }, "rake test", "test/calc_test.rb > CalcTest#test_add"],
    ["minitest", minitest(ADDS), "ruby", "test/calc_test.rb > CalcTest#test_add"],
    ["test-unit", UNIT, "ruby", "test/test_calc.rb > TestCalc#test_add"],
    ["RSpec", SPEC, "rspec", "spec/calc_spec.rb > Calc adds"],
    [
      "RSpec below the top",
      {
        "app/Rakefile": "",
        "app/lib/calc.rb": CALC["lib/calc.rb"],
        "app/spec/calc_spec.rb": SPEC["spec/calc_spec.rb"],
      },
      "rspec",
      "app/spec/calc_spec.rb > Calc adds",
    ],
    [
      "gems that are here, by bundler",
      { ...minitest(ADDS), ...RAKE, Gemfile: 'gem "rake"\ngem "minitest"\n' },
      "rake test",
      "test/calc_test.rb > CalcTest#test_add",
    ],
  ])("passes where the tests pass, and fails where one fails: %s", async (_, files, runner, name) => {
    const verdict = await evaluation({ ...CALC, ...files });
    expect(verdict.syntax).toMatchObject({ status: "passed", errors: [] });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1, runner, cases: [{ name, status: "passed" }] });
    const folder = name.startsWith("app/") ? "app/" : "";
    const { tests } = await evaluation({ ...files, [`${folder}lib/calc.rb`]: BROKEN["lib/calc.rb"] });
    expect(tests).toMatchObject({ status: "failed", failed: 1, cases: [{ name, status: "failed" }] });
  });

  it("names each mistake of syntax with its line", async () => {
    const { syntax } = await evaluation({ "a.rb": "def a\n  if\nend\n", "b.rb": "1\n", Rakefile: "task :x do\n" });
    expect(syntax).toMatchObject({
      status: "failed",
      errors: [{ path: "Rakefile" }, { path: "a.rb", rule: "syntax" }],
    });
    expect(syntax.errors.every(({ line }) => line !== undefined)).toBe(true);
  });

  it.each([
    ["a process that ends early", ["exit!(0)"]],
    [
      "a summary that the test prints itself",
      ["puts '1 runs, 1 assertions, 0 failures, 0 errors, 0 skips'", "$stdout.flush", "exit!(1)"],
    ],
  ])("is never green after %s", async (_, body) => {
    expect((await evaluation({ ...CALC, ...minitest(...body) })).tests.status).not.toBe("passed");
  });

  it("is unchecked where a declared gem is not here, and names it once", async () => {
    const wanting = {
      ...CALC,
      ...minitest(ADDS),
      "test/other_test.rb": 'require "l2mac_absent/core"\nrequire "minitest/autorun"\n',
    };
    const declared = await evaluation({ ...wanting, Gemfile: 'gem "l2mac-absent"\n' });
    expect(declared.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(declared.missingPackages).toEqual(["l2mac-absent"]);
    expect((await evaluation(wanting)).tests).toMatchObject({ status: "failed" });
  });

  it("is green where a declared gem that no test needs is not here", async () => {
    const { tests } = await evaluation({ ...CALC, ...minitest(ADDS), ...RAKE, Gemfile: 'gem "l2mac-absent"\n' });
    expect(tests).toMatchObject({ status: "passed", passed: 1 });
  });

  it("is unchecked where a gem is here in another version only", async () => {
    const found = await evaluation({ ...CALC, ...minitest(ADDS), Gemfile: 'gem "minitest", "~> 99.0"\n' });
    expect(found.tests).toMatchObject({ status: "not_run", reason: "package_missing" });
    expect(found.missingPackages[0]).toMatch(/^minitest ~> 99\.0 \(there is \d/);
  });

  it("is unchecked where the project asks for a newer Ruby and fails", async () => {
    const asks = { Gemfile: 'ruby "99.0"\n' };
    expect((await evaluation({ ...BROKEN, ...minitest(ADDS), ...asks })).tests).toMatchObject({
      status: "not_run",
      reason: "no_toolchain",
      detail: expect.stringContaining("Ruby 99.0"),
    });
  });
});

it("stays unchecked without Ruby, and says what to do", async () => {
  const parts = { toolchain: { ...toolchain, tools: {} } };
  const { syntax, tests } = await evaluation({ ...CALC, ...minitest(ADDS) }, { syntax: {}, tests: {} }, parts);
  expect(syntax).toMatchObject({ status: "not_run", reason: "no_toolchain" });
  expect(tests.detail).toContain("Ruby (install it, or choose another language)");
});
