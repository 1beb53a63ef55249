/** Ruby: parsed by `ruby -c`; tested by RSpec, minitest and test-unit, as far as their gems are here. */
import {
  type CheckRequest,
  type Language,
  noTests,
  type SyntaxResult,
  type TestsResult,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import { parseEach } from "../../process/parse-each.ts";
import { mergeTests } from "../../report/merge-verdicts.ts";
import { findRuby } from "./find-ruby.ts";
import { rubyProjects } from "./ruby-project.ts";
import { testProject } from "./ruby-tests.ts";

const OWN = /\.(?:rb|rake|gemspec|ru)$|(?:^|\/)(?:Rakefile|Gemfile)$/;
const LACKING = "Ruby (install it, or choose another language)";

export const ruby: Language = {
  name: "Ruby",
  owns: (path) => OWN.test(path),
  probes: { ruby: { find: findRuby, without: "Ruby projects stay unchecked" } },
  syntax,
  tests,
};

function syntax(request: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const parser = {
    owns: ruby.owns,
    program: workspace.toolchain.tools?.ruby?.program,
    args: ["--disable-gems", "-c"],
    lacking: LACKING,
    accepts: /^Syntax OK$/m,
    refuses: /^[^\r\n]*?:(?<line>\d+): (?!warning:)(?<message>[^\n]+)/m,
  };
  return parseEach(request, parser, workspace);
}

async function tests({ tree, paths }: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const projects = (await rubyProjects(tree)).filter(({ specs, units }) => specs.length + units.length > 0);
  if (projects.length === 0) return noTests;
  const tool = workspace.toolchain.tools?.ruby;
  if (!tool) return { ...noTests, ...withoutToolchain(LACKING), output: withoutToolchain(LACKING).detail };
  const all: TestsResult[] = [];
  for (const project of projects)
    all.push(await testProject(project, { tool, workspace, ...(paths ? { paths } : {}) }));
  return mergeTests(all);
}
