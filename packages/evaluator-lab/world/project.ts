/** A real project of the corpus: where it comes from, and how its own authors test it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { applicationCases } from "./cases/applications.ts";
import { javascriptCases } from "./cases/javascript.ts";
import { mixedCases } from "./cases/mixed.ts";
import { pythonCases } from "./cases/python.ts";

export const SOURCES = ["pypi", "npm", "go", "crates", "maven", "case"] as const;
export type SourceKind = (typeof SOURCES)[number];

const Listed = z.strictObject({
  name: z.string(),
  version: z.string(),
  licence: z.string(),
  /** The row of the table that it is counted in. */
  runner: z.string(),
  /** What installs it with what its tests need, where the usual command is not enough. */
  install: z.array(z.string()).optional(),
  /** How its authors test it, where that is not the usual command. */
  test: z.array(z.string()).optional(),
  /** Why it is red in a plain environment too. Only explains: the truth is always measured. */
  red: z.string().optional(),
  /** CI judges the first third: small suites that are quick to install. */
  third: z.literal([1, 2, 3]),
});

export interface Project extends Required<Pick<z.infer<typeof Listed>, "name" | "version" | "licence" | "runner">> {
  from: SourceKind;
  install?: string[] | undefined;
  test?: string[] | undefined;
  red?: string | undefined;
  third: 1 | 2 | 3;
  /** Of a case: its tree. */
  files?: Record<string, string>;
}

/** The lists are JSON, one for each registry, so that other programs can read them. */
export function readLists(folder = join(import.meta.dirname, "list")): Project[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .flatMap((name) => {
      const from = z.enum(SOURCES).parse(name.replace(/\.json$/, ""));
      const listed = z.array(Listed).parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
      return listed.map((project) => ({ ...project, from }));
    });
}

/** Made by hand: each has one trait of real projects that a verdict may get wrong. */
export const readCases = (): Project[] =>
  [...pythonCases, ...javascriptCases, ...mixedCases, ...applicationCases].map((each) => ({
    ...each,
    ...{ from: "case", version: "1", licence: "MIT", runner: CASE, third: each.third ?? 2 },
  }));

/** The row of the cases, which are not counted as real projects. */
export const CASE = "small cases";

/** As a folder of it is called: a colon ends a path of Java, and a plus may be read as a space. */
export const folderName = ({ from, name }: Pick<Project, "from" | "name">): string =>
  `${from}-${name}`.replaceAll(/[/:]/g, "_");

/** As it is named in the table, unique in the whole corpus. */
export const labelOf = ({ from, name }: Pick<Project, "from" | "name">): string => `${from}:${name}`;
