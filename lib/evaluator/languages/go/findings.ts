/** What Go's compiler and its examiner print, as findings. Pure. */
import * as z from "zod";
import type { Finding } from "../../../core/verdict/verdict.ts";

export interface OutputFolders {
  /** What does not compile. */
  errors: Finding[];
  /** What compiles, and is most likely not meant so. */
  warnings: Finding[];
}

/** `folder`: of the module, which the paths are relative to; `copy`: the folder that full paths begin with. */
export function findingsIn(text: string, { folder, copy }: { folder: string; copy: string }): OutputFolders {
  const below = (path: string): string => {
    const plain = path.replace(/^(?:\.\/)+/, "");
    if (plain.startsWith(`${copy}/`)) return plain.slice(copy.length + 1);
    return folder === "" ? plain : `${folder}/${plain}`;
  };
  return { errors: errorsIn(text, below), warnings: warningsIn(text, below) };
}

function errorsIn(text: string, below: (path: string) => string): Finding[] {
  const found = new Map<string, Finding>();
  for (const [, path = "", line, column, message = "", more = ""] of text.matchAll(ERROR)) {
    const rule = path.endsWith("go.mod") ? "go.mod" : SYNTAX.test(message) ? "syntax" : "compile";
    const workspace = { path: below(path), line: Number(line), ...(column ? { column: Number(column) } : {}) };
    const finding: Finding = { ...workspace, message: message + more.replaceAll(/\n\s+/g, " "), rule };
    const key = `${finding.path}:${finding.line}:${rule === "syntax" ? "" : message}`;
    if (!found.has(key)) found.set(key, finding);
  }
  return [...found.values()];
}

/** `path:line:column: message`, and the indented lines of the message below it. */
const ERROR = /^(?:vet: )?([^\s:{}"]+\.(?:go|mod|work)):(\d+)(?::(\d+))?: (.*)((?:\n\t+(?!")\S.*)*)/gm;
/** The parser's words; one mistake brings others on the same line. */
const SYNTAX = /^(?:syntax error: |expected |missing |illegal |.* not terminated|newline in )/;

const Report = z.record(
  z.string(),
  z.record(z.string(), z.union([z.array(z.object({ posn: z.string(), message: z.string() })), z.unknown()])),
);

function warningsIn(text: string, below: (path: string) => string): Finding[] {
  return objectsIn(text).flatMap((value) =>
    Object.values(Report.safeParse(value).data ?? {}).flatMap((packageReport) =>
      Object.entries(packageReport).flatMap(([rule, entries]) =>
        (Array.isArray(entries) ? entries : []).flatMap(({ posn, message }): Finding[] => {
          const [, path, line, column] = /^(.*):(\d+):(\d+)$/.exec(posn) ?? [];
          return path ? [{ path: below(path), line: Number(line), column: Number(column), message, rule }] : [];
        }),
      ),
    ),
  );
}

/** One object after another, each beginning and ending at the start of a line. */
const objectsIn = (text: string): unknown[] =>
  text.split(/^\}$/m).flatMap((part) => {
    const begins = part.search(/^\{$/m);
    try {
      return begins < 0 ? [] : [JSON.parse(`${part.slice(begins)}}`)];
    } catch {
      return [];
    }
  });
