/** Reads the test reports that many tools write, in the form of JUnit. Pure. They are untrusted: tests may have written them. */
import { type Report, reportedCase } from "./read-report.ts";

type Case = Report["cases"][number];

/** Undefined: it is no such report, or not a whole one. */
export function readJunit(text: string, nameOf = nameInJunit): Case[] | undefined {
  if (!/<testsuites?\b/.test(text) || !/<\/testsuites?>\s*$|<testsuites?\b[^>]*\/>\s*$/.test(text)) return undefined;
  return [...text.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = "", body = ""]) => reportedCase(caseOf(attributesIn(attributes), body, nameOf)),
  );
}

type NameOf = (attributes: Record<string, string>) => string;

const nameInJunit: NameOf = ({ name = "", classname = "" }) =>
  [classname, name].filter((part, at, all) => part !== "" && all.indexOf(part) === at).join(" > ");

function caseOf(attributes: Record<string, string>, body: string, nameOf: NameOf): Case {
  const { time = "" } = attributes;
  const status = statusOf(attributes.status, body);
  const [, said = "", text = ""] =
    /<(?:failure|error)\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:failure|error)>)/.exec(body) ?? [];
  const printed = /<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? "";
  const message = [attributesIn(said).message ?? "", plain(text), text === "" ? plain(printed) : ""]
    .filter((part) => part.trim() !== "")
    .join("\n");
  const seconds = Number(time);
  return {
    name: nameOf(attributes),
    status,
    ...(time !== "" && seconds >= 0 ? { seconds } : {}),
    ...((status === "failed" || status === "error") && message !== "" ? { message } : {}),
  };
}

function statusOf(status: string | undefined, body: string): Case["status"] {
  // PHPUnit's exit code says whether such a test fails the run.
  if (/<error type="[^"]*Risky|<warning\b/.test(body)) return "skipped";
  if (/<error\b/.test(body)) return "error";
  if (/<failure\b/.test(body) || status === "fail") return "failed";
  return /<skipped\b/.test(body) || status === "disabled" || status === "notrun" ? "skipped" : "passed";
}

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w:-]+)\s*=\s*"([^"]*)"/g)].map(([, name = "", value = ""]) => [name, plain(value)]),
  );

const MARKS: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const plain = (text: string): string =>
  text
    .replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1")
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => characterOf(Number(code)))
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => characterOf(Number.parseInt(code, 16)))
    .replaceAll(/&(\w+);/g, (whole, name: string) => MARKS[name] ?? whole);

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");
