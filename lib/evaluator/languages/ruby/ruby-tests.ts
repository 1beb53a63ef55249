/** Runs the tests of one Ruby project: by RSpec, and by rake or Ruby itself for minitest and test-unit. */
import { headAndTail } from "../../../core/text/cut.ts";
import { noTests, type TestsResult, type Tool, type Workspace, withoutToolchain } from "../../language.ts";
import type { CommandResult } from "../../process/run-command.ts";
import { mergeTests } from "../../report/merge-verdicts.ts";
import { beginningOf, type Report, reportedCase } from "../../report/read-report.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import { isOnPath } from "../declared/missing-program.ts";
import { gemOf } from "./gems.ts";
import { type GemState, gemState } from "./installed-gems.ts";
import { readExamples } from "./rspec-report.ts";
import type { RubyProject } from "./ruby-project.ts";
import { readUnits } from "./unit-output.ts";

export interface RubyRun {
  tool: Tool;
  workspace: Workspace;
  /** Only these test files. */
  paths?: string[];
}

interface ProjectRun extends RubyRun {
  project: RubyProject;
  gems: GemState;
  /** `bundle exec`, where all gems of the project are here. */
  bundled: string[];
}

/** Cases are read from what is printed: it must come whole. */
const OUTPUT_BYTES = 16 * 1024 * 1024;
const MESSAGE_CHARS = 2_000;

export async function testProject(project: RubyProject, run: RubyRun): Promise<TestsResult> {
  const gems = await gemState(project.wanted.gems, run.tool, run.workspace);
  // Another version than the one that is asked for says nothing certain.
  if (gems.unfit.length > 0) return withoutGems(gems.unfit);
  const projectRun = { ...run, project, gems, bundled: await bundledBy(project, run.workspace) };
  const all = [
    ...(project.specs.length > 0 ? [await runSpecs(projectRun)] : []),
    ...(project.units.length > 0 ? [await runUnits(projectRun)] : []),
  ];
  const found = mergeTests(all);
  const wanted = project.wanted.ruby;
  if (found.status === "passed" || !wanted || !isOlder(run.tool.version ?? "", wanted)) return found;
  const lacking = withoutToolchain(`Ruby ${wanted}, which the project asks for (there is ${run.tool.version}),`);
  return { ...noTests, ...lacking, output: `${lacking.detail}\n${found.output}` };
}

function withoutGems(names: string[]): TestsResult {
  const detail = names.map((name) => `package ${name} is not available here`).join("\n");
  return { ...noTests, status: "not_run", reason: "package_missing", detail, output: detail, missingPackages: names };
}

async function bundledBy({ hasGemfile, folder }: RubyProject, workspace: Workspace): Promise<string[]> {
  if (!hasGemfile || !isOnPath("bundle", workspace)) return [];
  const copy = await workspace.copy();
  const checked = await copy.run({ argv: ["bundle", "check", "--dry-run"], below: folder, env: SETTINGS });
  return checked.status === "exited" && checked.exitCode === 0 ? ["bundle", "exec"] : [];
}

const SETTINGS = { BUNDLE_SILENCE_ROOT_WARNING: "1", BUNDLE_DISABLE_VERSION_CHECK: "1" };

async function runSpecs(run: ProjectRun): Promise<TestsResult> {
  const { project, workspace, bundled } = run;
  if (!isOnPath("rspec", workspace)) return withoutGems(["rspec"]);
  const copy = await workspace.copy();
  const path = copy.newReport();
  const argv = [...bundled, "rspec", "--no-color", "--format", "json", "--out", path, ...chosen(project.specs, run)];
  const result = await copy.run({ argv, below: project.folder, env: SETTINGS, outputBytes: OUTPUT_BYTES });
  const { text, truncated } = await beginningOf(path);
  return outcome("rspec", result, { run, cases: readExamples(text), truncated });
}

async function runUnits(run: ProjectRun): Promise<TestsResult> {
  const { project, workspace, bundled, tool } = run;
  const byRake = /TestTask|\btask[ (]+:?["']?test\b/.test(project.rakefile) && isOnPath("rake", workspace);
  const files = chosen(project.units, run);
  const argv = byRake
    ? [...bundled, "rake", "test", "TESTOPTS=-v", "A=-v"]
    : [...bundled, tool.program, "-I", "lib", "-I", "test", "-e", LOAD, ...files, "--", "-v"];
  const copy = await workspace.copy();
  const result = await copy.run({ argv, below: project.folder, env: SETTINGS, outputBytes: OUTPUT_BYTES });
  const texts = await Promise.all(project.units.map(async (path) => ({ path, text: await project.read(path) })));
  const { cases, hasEnded } = readUnits(result.stdout, (name) => fileOf(name, texts));
  const isPlain = !texts.some(({ text }) => /minitest|test.?unit|_helper/i.test(text));
  const runner = byRake ? "rake test" : "ruby";
  if (isPlain && !hasEnded && result.status === "exited" && result.exitCode === 0)
    cases.push({ name: runner, status: "passed" });
  return outcome(runner, result, { run, ...(hasEnded || isPlain ? { cases } : {}), truncated: false });
}

const LOAD =
  'files = ARGV.take_while { |each| each != "--" }; ARGV.shift(files.size + 1); files.each { |each| require File.expand_path(each) }';

const chosen = (files: string[], { paths, project }: ProjectRun): string[] => {
  const below = project.folder === "" ? "" : `${project.folder}/`;
  const found = paths ? files.filter((path) => paths.includes(below + path)) : [];
  return found.length > 0 ? found : files;
};

function fileOf(name: string, texts: { path: string; text: string }[]): string | undefined {
  const plain = (name.split("::")[0] ?? "").replaceAll(/\W/g, "\\$&");
  const last = (name.split("::").at(-1) ?? "").replaceAll(/\W/g, "\\$&");
  const defines = new RegExp(`\\bclass (?:\\w+::)*${last}\\b|\\bdescribe[ (]+["']?${plain}\\b`);
  return texts.find(({ text }) => defines.test(text))?.path;
}

interface Found {
  run: ProjectRun;
  /** Absent: there is no report. */
  cases?: Report["cases"] | undefined;
  truncated: boolean;
}

function outcome(runner: string, result: CommandResult, { run, cases, truncated }: Found): TestsResult {
  const { gems, project } = run;
  const printed = `${result.stdout.trim()}\n${result.stderr.trim()}`.trim();
  const hasFailed = result.status === "exited" && result.exitCode !== 0;
  const all = [...(cases ?? [])];
  if (hasFailed && !all.some(({ status }) => status === "failed" || status === "error"))
    all.push({ name: runner, status: "error", message: headAndTail(printed, MESSAGE_CHARS) });
  const below = project.folder === "" ? "" : `${project.folder}/`;
  return testOutcome({
    runner,
    result,
    report: {
      cases: all.map((one) =>
        reportedCase({ ...one, name: one.name.includes(" > ") ? below + one.name : one.name, ...missingIn(one, run) }),
      ),
      running: [],
      unseen: [],
      truncated,
      ...(all.length > 0 || cases ? { end: result.exitCode ?? 1 } : {}),
    },
    reports: true,
    unavailablePackages: (name) => gems.absent.includes(name),
  });
}

const LOAD_ERROR =
  /cannot load such file -- ([\w./-]+)|Could not find gem '([\w.-]+)|Could not find ([\w.-]+?)-\d[\w.]* in |uninitialized constant ((?:Minitest|Test|RSpec))$/m;

/** A file that a project's own would be is none of a gem's. */
function missingIn(
  { status, message = "" }: Report["cases"][number],
  { gems, project }: ProjectRun,
): { missing?: string } {
  if (status !== "failed" && status !== "error") return {};
  const name = LOAD_ERROR.exec(message)
    ?.slice(1)
    .find((each) => each);
  if (!name || name.startsWith("/") || name.startsWith(".")) return {};
  const declared = gemOf(name, gems.absent);
  if (declared) return { missing: declared };
  return project.wanted.gems.has(name) || !/cannot load such file/.test(message) ? {} : { missing: name };
}

const isOlder = (here: string, wanted: string): boolean => {
  const [own, other] = [here, wanted].map((text) => text.split(".").map(Number));
  for (const at of [0, 1]) if ((own?.[at] ?? 0) !== (other?.[at] ?? 0)) return (own?.[at] ?? 0) < (other?.[at] ?? 0);
  return false;
};
