/** Reads the test reports that many tools write, in the form of JUnit. Pure. They are untrusted: tests may have written them. */
import { type Report, reportedCase } from "./read-report.ts";

type Case = Report["cases"][number];

/** Undefined: it is no such report, or not a whole one. */
export function readJunit(text: string, nameOf = nameInJunit): Case[] | undefined {
  if (!/<testsuites?\b/.test(text) || !isWhole(text.trimEnd())) return undefined;
  return [...elementsIn(text, "testcase")].map(({ attributes, body }) =>
    reportedCase(caseOf(attributesIn(attributes), body, nameOf)),
  );
}

const isWhole = (text: string): boolean =>
  text.endsWith("</testsuite>") ||
  text.endsWith("</testsuites>") ||
  (text.endsWith("/>") && /^<testsuites?\b[^>]*>$/.test(text.slice(text.lastIndexOf("<testsuite"))));

interface Element {
  attributes: string;
  body: string;
}

/** One after the other, in one pass: a report may hold millions of tags that nothing closes. */
function* elementsIn(text: string, name: string): Generator<Element> {
  const opening = new RegExp(`<(?:${name})\\b`, "g");
  const closing = new RegExp(`</(?:${name})>`, "g");
  let isClosed = true;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const from = found.index + found[0].length;
    const end = text.indexOf(">", from);
    if (end === -1) return;
    opening.lastIndex = end + 1;
    if (text[end - 1] === "/") yield { attributes: text.slice(from, end - 1), body: "" };
    else if (isClosed) {
      closing.lastIndex = end + 1;
      const last = closing.exec(text);
      isClosed = last !== null;
      if (!last) continue;
      yield { attributes: text.slice(from, end), body: text.slice(end + 1, last.index) };
      opening.lastIndex = closing.lastIndex;
    }
  }
}

type NameOf = (attributes: Record<string, string>) => string;

const nameInJunit: NameOf = ({ name = "", classname = "" }) =>
  [classname, name].filter((part, at, all) => part !== "" && all.indexOf(part) === at).join(" > ");

function caseOf(attributes: Record<string, string>, body: string, nameOf: NameOf): Case {
  const { time = "" } = attributes;
  const status = statusOf(attributes.status, body);
  const [{ attributes: said, body: text } = { attributes: "", body: "" }] = elementsIn(body, "failure|error");
  const printed = between(body, ["<system-out>", "</system-out>"])?.inner ?? "";
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

/** Every second part between quotes is a value; the part before it ends with its name. */
function attributesIn(text: string): Record<string, string> {
  const parts = text.split('"');
  const found: [string, string][] = [];
  for (let at = 0; at < parts.length - 2; at += 1) {
    const name = nameBefore(parts[at] ?? "");
    if (name === "") continue;
    found.push([name, plain(parts[at + 1] ?? "")]);
    at += 1;
  }
  return Object.fromEntries(found);
}

/** The name that ends `… name = `. */
function nameBefore(part: string): string {
  const trimmed = part.trimEnd();
  const left = trimmed.endsWith("=") ? trimmed.slice(0, -1).trimEnd() : "";
  let start = left.length;
  while (start > 0 && /[\w:-]/.test(left.charAt(start - 1))) start -= 1;
  return left.slice(start);
}

interface Between {
  inner: string;
  start: number;
  end: number;
}

function between(text: string, [open, close]: [string, string], from = 0): Between | undefined {
  const start = text.indexOf(open, from);
  const end = start === -1 ? -1 : text.indexOf(close, start + open.length);
  return end === -1 ? undefined : { inner: text.slice(start + open.length, end), start, end: end + close.length };
}

function withoutCharacterData(text: string): string {
  let [plain, at] = ["", 0];
  for (let found = between(text, CDATA); found; found = between(text, CDATA, at)) {
    plain += text.slice(at, found.start) + found.inner;
    at = found.end;
  }
  return plain + text.slice(at);
}

const CDATA: [string, string] = ["<![CDATA[", "]]>"];

const MARKS: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const plain = (text: string): string =>
  withoutCharacterData(text)
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => characterOf(Number(code)))
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => characterOf(Number.parseInt(code, 16)))
    .replaceAll(/&(\w+);/g, (whole, name: string) => (Object.hasOwn(MARKS, name) ? (MARKS[name] ?? whole) : whole));

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");
