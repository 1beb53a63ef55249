/** What cdk's lines say: how far a deployment is, and what went wrong. Pure. */

export type CdkLine =
  | { kind: "progress"; done: number; of: number; status: string; type: string; name: string }
  | { kind: "failed"; text: string }
  | { kind: "phase"; text: string }
  | { kind: "other"; text: string };

/** `L2mac | 12/97 | 10:02:11 AM | CREATE_COMPLETE | AWS::S3::Bucket | Storage/Files (StorageFiles1A2B) …` */
const PROGRESS =
  /^\S+ \|\s*(?<done>\d+)(?:\/(?<of>\d+))? \| [^|]+ \| (?<status>[A-Z_]+)\s*\| (?<type>\S+)\s*\| (?<name>\S*)/;
/** An event of something that failed on its own, and not because something else did. */
const FAILED = /\| (CREATE|UPDATE|DELETE)_FAILED\b(?!.*Resource (creation|update) cancelled)/;

export function readCdkLine(text: string): CdkLine {
  const line = text.trimEnd();
  if (FAILED.test(line)) return { kind: "failed", text: line };
  const { done, of, status = "", type = "", name = "" } = PROGRESS.exec(line)?.groups ?? {};
  if (done !== undefined) return { kind: "progress", done: Number(done), of: Number(of ?? 0), status, type, name };
  const phase = phaseOf(line);
  return phase === undefined ? { kind: "other", text: line } : { kind: "phase", text: phase };
}

const PHASES: [RegExp, string][] = [
  [/: start: Building .*(Image|Evaluator)/i, "building the evaluator's image (some minutes the first time)"],
  [/: start: Building/, "packing the code"],
  [/: start: Publishing/, "sending code and image to the account"],
  [/: creating CloudFormation changeset/, "asking CloudFormation what is to change"],
  [/: deploying\.\.\./, "CloudFormation begins"],
  [/: destroying\.\.\./, "CloudFormation begins to delete"],
  [/\(no changes\)/, "nothing had to be changed"],
];

const phaseOf = (line: string): string | undefined => PHASES.find(([when]) => when.test(line))?.[1];

/** What went well, and how long it took. */
const NOISE = /: (success|start): |Synthesis time|Deployment time|Total time|^\s*✨|^\s*✅/;

const LAST_LINES = 60;

/** What belongs to an error: all that failed, and the end of what was said, without progress. */
export function errorIn(lines: readonly string[]): string[] {
  const read = lines.map(readCdkLine);
  const failed = read.flatMap((line) => (line.kind === "failed" ? [line.text] : []));
  const others = read.flatMap((line) =>
    line.kind === "other" && line.text !== "" && !NOISE.test(line.text) ? [line.text] : [],
  );
  return [...failed, ...others.slice(-LAST_LINES)];
}
