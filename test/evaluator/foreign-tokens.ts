/** Puts one token that no language knows between two statements of foreign files, and has the true evaluator find it. */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";
import { type Node, parse } from "acorn";
import { full } from "acorn-walk";
import { evaluation, toolchain } from "../doubles/evaluation.ts";
import { type Chance, createChance } from "../faults/chance.ts";
import type { Figure } from "./foreign.ts";
import { shuffled } from "./shuffled.ts";

const TOKENS = ["§", "0x", "@@"];
/** Broken files of each source; a batch is one tree. Of more broken modules at once only the first ten are located. */
const BROKEN = 120;
const BATCH = 8;
const LARGEST_BYTES = 200_000;
const WITHIN_LINES = 2;

interface BreakableSource {
  path: string;
  from: string;
  text: string;
  places: TokenPlace[];
}

interface BrokenSource {
  path: string;
  from: string;
  text: string;
  line: number;
}

export async function tokenFigure({
  name,
  files,
  seed,
}: {
  name: string;
  files: string[];
  seed: number;
}): Promise<Figure> {
  const breakable: BreakableSource[] = [];
  for (const from of byEnding(shuffled(files, seed))) {
    if (breakable.length === BROKEN) break;
    breakable.push(...breakableAs(`f${breakable.length}/${basename(from)}`, from));
  }
  const chance = createChance(seed);
  const sound = await whole(breakable);
  const broken = sound.map((one) => breakOne(one, chance));
  const leftOut = breakable.length - sound.length;
  const missed: string[] = [];
  for (let at = 0; at < broken.length; at += BATCH) missed.push(...(await missedIn(broken.slice(at, at + BATCH))));
  return {
    what: `invalid tokens in ${name} that are found where they are`,
    figure: `${broken.length - missed.length} of ${broken.length}${leftOut > 0 ? `, ${leftOut} left out that have errors as they are` : ""}`,
    aim: "all",
    reached: missed.length === 0 && broken.length > 0,
    details: missed,
  };
}

/** One of each kind of file in turn. */
function byEnding(paths: string[]): string[] {
  const groups = Object.values(Object.groupBy(paths, (path) => path.slice(path.lastIndexOf("."))));
  const longest = Math.max(0, ...groups.map((group) => group?.length ?? 0));
  return Array.from({ length: longest }, (_, at) => groups.flatMap((group) => group?.[at] ?? [])).flat();
}

function breakableAs(path: string, from: string): BreakableSource[] {
  if (statSync(from).size > LARGEST_BYTES) return [];
  const text = readFileSync(from, "utf8");
  const places = from.endsWith(".py") ? pythonPlaces(from) : javascriptPlaces(from, text);
  return places.length > 0 ? [{ path, from, text, places }] : [];
}

/** Those in which the evaluator finds nothing as they are: where it did, nothing would be shown by a finding. */
async function whole(files: BreakableSource[]): Promise<BreakableSource[]> {
  const { syntax } = await evaluation(Object.fromEntries(files.map(({ path, text }) => [path, text])), { syntax: {} });
  return files.filter(({ path }) => !syntax.errors.some((error) => error.path === path && error.rule === "syntax"));
}

function breakOne({ path, from, text, places }: BreakableSource, { between }: Chance): BrokenSource {
  const { line, indent } = places[between(0, places.length - 1)] ?? { line: 1, indent: 0 };
  const lines = text.split("\n");
  lines.splice(line - 1, 0, " ".repeat(indent) + TOKENS[between(0, TOKENS.length - 1)]);
  return { path, from, text: lines.join("\n"), line };
}

async function missedIn(batch: BrokenSource[]): Promise<string[]> {
  const files = Object.fromEntries(batch.map(({ path, text }) => [path, text]));
  const { syntax } = await evaluation(files, { syntax: {} });
  return batch.flatMap(({ path, line, from }) => {
    const found = syntax.errors.filter((error) => error.path === path);
    const near = found.some((error) => Math.abs((error.line ?? Number.NEGATIVE_INFINITY) - line) <= WITHIN_LINES);
    const reported = found.map((error) => `${error.line ?? "no line"}: ${error.message}`).join("; ");
    return near ? [] : [`${from}: at ${line}, reported ${reported || "nothing"}`];
  });
}

interface TokenPlace {
  /** The token takes this line; what is there moves down. */
  line: number;
  indent: number;
}

const PYTHON_PLACES = `
import ast, json, sys
places = []
for node in ast.walk(ast.parse(open(sys.argv[1], "rb").read())):
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        for one, other in zip(body, body[1:]) if isinstance(body, list) else []:
            first = min([other.lineno] + [each.lineno for each in getattr(other, "decorator_list", [])])
            if first > one.end_lineno:
                places.append({"line": one.end_lineno + 1, "indent": one.col_offset})
print(json.dumps(places))
`;

function pythonPlaces(path: string): TokenPlace[] {
  const asked = spawnSync(toolchain.python ?? "", ["-I", "-W", "ignore", "-c", PYTHON_PLACES, path], {
    encoding: "utf8",
  });
  return asked.status === 0 ? JSON.parse(asked.stdout) : [];
}

function javascriptPlaces(path: string, text: string): TokenPlace[] {
  try {
    const code = /\.[cm]?ts$/.test(path) ? stripTypeScriptTypes(text) : text;
    const places: TokenPlace[] = [];
    full(program(code), (node) => {
      if (node.type !== "Program" && node.type !== "BlockStatement") return;
      const { body } = node as Node & { body: Node[] };
      for (const [at, one] of body.entries()) {
        const end = one.loc?.end.line ?? 0;
        const next = body[at + 1]?.loc?.start.line ?? 0;
        if (next > end) places.push({ line: end + 1, indent: 0 });
      }
    });
    return places;
  } catch {
    return [];
  }
}

function program(code: string): Node {
  const options = {
    ecmaVersion: "latest",
    locations: true,
    allowHashBang: true,
    allowReturnOutsideFunction: true,
  } as const;
  try {
    return parse(code, { ...options, sourceType: "module" });
  } catch {
    return parse(code, { ...options, sourceType: "script" });
  }
}
