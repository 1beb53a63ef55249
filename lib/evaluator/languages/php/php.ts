/** PHP: parsed by `php -l`; tested by PHPUnit, or by the script `test` of composer.json. */
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
import { fitsComposer } from "./composer-manifest.ts";
import { findPhp } from "./find-php.ts";
import { type PhpProject, phpProjects } from "./php-project.ts";
import { testProject } from "./php-tests.ts";

const LACKING = "PHP (install it, or choose another language)";

export const php: Language = {
  name: "PHP",
  owns: (path) => path.endsWith(".php"),
  probes: { php: { find: findPhp, without: "PHP projects stay unchecked" } },
  syntax,
  tests,
};

async function syntax(request: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const tool = workspace.toolchain.tools?.php;
  const parser = {
    owns: php.owns,
    program: tool?.program,
    args: ["-d", "display_errors=1", "-d", "log_errors=0", "-d", "html_errors=0", "-l"],
    lacking: LACKING,
    accepts: /^No syntax errors detected/m,
    refuses: /^(?:PHP )?(?:Parse|Fatal) error: +(?<message>.{1,1000}?) in \S.* on line (?<line>\d+)$/m,
  };
  const found = await parseEach(request, parser, workspace);
  const newer = found.status === "failed" && newerPhp(await phpProjects(request.tree), tool?.version ?? "");
  return newer ? { ...withoutToolchain(newer), errors: [] } : found;
}

async function tests({ tree, paths }: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const projects = (await phpProjects(tree)).filter(({ tests, manifest }) => tests.length > 0 || manifest?.testScript);
  if (projects.length === 0) return noTests;
  const tool = workspace.toolchain.tools?.php;
  if (!tool) return { ...noTests, ...withoutToolchain(LACKING), output: withoutToolchain(LACKING).detail };
  const all: TestsResult[] = [];
  for (const project of projects) {
    const found = await testProject(project, { tree, tool, workspace, ...(paths ? { paths } : {}) });
    const newer = found.status !== "passed" && newerPhp([project], tool.version ?? "");
    const lacking = newer ? withoutToolchain(newer) : undefined;
    all.push(lacking ? { ...noTests, ...lacking, output: `${lacking.detail}\n${found.output}` } : found);
  }
  return mergeTests(all);
}

function newerPhp(projects: PhpProject[], version: string): string | undefined {
  const wanted = projects.flatMap(({ manifest }) => manifest?.php ?? []).find((one) => !fitsComposer(version, one));
  return wanted && `PHP ${wanted}, which composer.json asks for (there is ${version}),`;
}
