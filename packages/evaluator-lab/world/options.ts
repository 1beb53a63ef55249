/** The options of `npm run evaluator:world`, and which projects they choose. Pure. */
import { parseArgs } from "node:util";
import { readShard, type Shard, takeShard } from "../../../test/shard.ts";
import { labelOf, type Project } from "./project.ts";

export interface Options {
  only: string[];
  shard?: Shard;
  third?: number;
  json?: string;
  jobs: number;
  /** Kept between calls: trees, truths and installed packages. Absent: a temporary folder. */
  folder?: string;
  /** Of how many healthy projects a red variant is judged, at most. */
  mutants: number;
  seed: number;
}

export function readOptions(args: string[], env: Readonly<Record<string, string | undefined>>): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: "boolean" },
      shard: { type: "string" },
      third: { type: "string" },
      json: { type: "string" },
      jobs: { type: "string" },
      folder: { type: "string" },
      mutants: { type: "string" },
      seed: { type: "string" },
    },
  });
  if (values.only && positionals.length === 0) throw new Error("--only needs the names of projects.");
  const folder = values.folder ?? env.L2MAC_WORLD;
  return {
    only: positionals,
    jobs: whole("--jobs", values.jobs ?? "2", 1),
    mutants: whole("--mutants", values.mutants ?? "1000", 0),
    seed: whole("--seed", values.seed ?? "1", 0),
    ...(folder ? { folder } : {}),
    ...(values.json ? { json: values.json } : {}),
    ...(values.third ? { third: whole("--third", values.third, 1, 3) } : {}),
    ...(values.shard ? { shard: readShard(values.shard) } : {}),
  };
}

function whole(flag: string, text: string, ...[least, most = Number.MAX_SAFE_INTEGER]: [number, number?]): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Error(`${flag} ${text}: it must be a whole number from ${least} on${most < 1e9 ? ` to ${most}` : ""}.`);
}

/** A name chooses exactly, or by the registry before a colon: `iniconfig`, `pypi:iniconfig`, `pypi:`. */
export function chooseProjects(projects: Project[], { only, shard, third }: Options): Project[] {
  const isNamed = (project: Project): boolean =>
    only.length === 0 || only.some((name) => [project.name, labelOf(project), `${project.from}:`].includes(name));
  const unknown = only.filter(
    (name) => !projects.some((each) => [each.name, labelOf(each), `${each.from}:`].includes(name)),
  );
  if (unknown.length > 0) throw new Error(`There is no project ${unknown.join(", ")} in the lists.`);
  return takeShard(
    projects.filter(isNamed).filter((project) => third === undefined || project.third === third),
    shard,
  );
}
