/** The requirements in a pyproject.toml, as the standard and as Poetry write them. The file is untrusted. Pure. */
import { parse } from "smol-toml";
import * as z from "zod";

const GROUPS = ["dev", "test", "tests", "testing"];

const lines = z.array(z.unknown()).catch([]);
const PoetryPackages = z.record(z.string(), z.unknown()).catch({});
const Project = z.object({
  project: z
    .object({ dependencies: lines, "optional-dependencies": z.record(z.string(), lines).catch({}) })
    .catch({ dependencies: [], "optional-dependencies": {} }),
  "dependency-groups": z.record(z.string(), lines).catch({}),
  tool: z
    .object({
      poetry: z
        .object({
          dependencies: PoetryPackages,
          "dev-dependencies": PoetryPackages,
          group: z.record(z.string(), z.object({ dependencies: PoetryPackages }).catch({ dependencies: {} })).catch({}),
        })
        .catch({ dependencies: {}, "dev-dependencies": {}, group: {} }),
    })
    .catch({ poetry: { dependencies: {}, "dev-dependencies": {}, group: {} } }),
});

export function projectRequirements(text: string): { lines: string[] } | { problem: string } {
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch {
    return { problem: "it is no TOML" };
  }
  const project = Project.parse(parsed);
  const groups = { ...project.project["optional-dependencies"], ...project["dependency-groups"] };
  const { poetry } = project.tool;
  const requirements = [
    ...project.project.dependencies,
    ...GROUPS.flatMap((name) => groups[name] ?? []),
    ...poetryLines(poetry.dependencies),
    ...poetryLines(poetry["dev-dependencies"]),
    ...GROUPS.flatMap((name) => poetryLines(poetry.group[name]?.dependencies ?? {})),
  ];
  return { lines: requirements.filter((line) => typeof line === "string") };
}

const poetryLines = (packages: Record<string, unknown>): string[] =>
  Object.entries(packages)
    .filter(([name]) => name.toLowerCase() !== "python")
    .map(([name, wanted]) => poetryLine(name, wanted));

const Elsewhere = z.object({ version: z.string().catch("*") }).loose();

function poetryLine(name: string, wanted: unknown): string {
  const table = Elsewhere.safeParse(wanted).data;
  if (table && ["git", "path", "url"].some((key) => Object.hasOwn(table, key))) return `${name} @ elsewhere`;
  const version = table?.version ?? (typeof wanted === "string" ? wanted : "*");
  if (version === "*" || version === "") return name;
  if (version.startsWith("^")) return `${name}>=${version.slice(1)}`;
  if (/^~(?!=)/.test(version)) return `${name}~=${version.slice(1)}`;
  return /^[<>=!~]/.test(version) ? `${name}${version}` : `${name}==${version}`;
}

/** Every requirement that it names, of whatever group and tool. Undefined where it leaves some to others. */
export function projectDeclares(text: string): string[] | undefined {
  try {
    const parsed = parse(text);
    const { dynamic = [] } = Dynamic.parse(parsed).project;
    return dynamic.some((name) => /dependencies$/.test(name)) ? undefined : [...requirementsBelow(parsed, "", 0)];
  } catch {
    return undefined;
  }
}

const Dynamic = z.object({ project: z.object({ dynamic: z.array(z.string()).optional() }).catch({}) });
/** What tools call the lists of what they want. */
const LISTS = /dependenc|(?:^|\.)(?:requires|requirements|deps)$/i;
const POETRYS = /^tool\.poetry\..*dependencies$/;
const DEEPEST = 20;

function* requirementsBelow(value: unknown, path: string, depth: number): Generator<string> {
  if (depth > DEEPEST) throw new Error("Tables lie in tables without end.");
  if (Array.isArray(value)) {
    for (const one of value) {
      if (typeof one === "string") yield* LISTS.test(path) ? [one] : [];
      else yield* requirementsBelow(one, path, depth + 1);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, one] of Object.entries(value))
      if (POETRYS.test(path)) yield* [...poetryLines({ [key]: one }), ...poetryExtras(key, one)];
      else yield* requirementsBelow(one, `${path}${path === "" ? "" : "."}${key}`, depth + 1);
  }
}

const Extras = z.object({ extras: z.array(z.string()).min(1) });

function poetryExtras(name: string, wanted: unknown): string[] {
  const extras = Extras.safeParse(wanted).data?.extras;
  return extras ? [`${name}[${extras.join(",")}]`] : [];
}
