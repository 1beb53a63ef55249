/** One tool call: what was asked, readably, and what was answered. */
import { reveal } from "../../core/text/sanitize.ts";
import type { ToolResult } from "../../core/turn/turn.ts";
import { Code, CodeLines } from "./code.tsx";
import { TextDiff } from "./diff.tsx";
import { FileLink, type Linking } from "./file-link.tsx";
import { Value } from "./value.tsx";
import { Folded } from "./verdict-view.tsx";

interface Call {
  name: string;
  arguments: string;
}

interface CallGiven {
  call: Call;
  result: ToolResult | undefined;
  linking: Linking;
}

export function ToolCallView({ call, result, linking }: CallGiven) {
  const given = parsed(call.arguments);
  return (
    <details class="call" open={result?.ok === false}>
      <summary>
        <span class={result?.ok === false ? "lost" : "tool"}>{reveal(call.name)}</span>{" "}
        <span class="quiet">{reveal(result?.note ?? "not run")}</span>
      </summary>
      <Arguments given={given} raw={call.arguments} linking={linking} />
      {result && <Answer result={result} />}
    </details>
  );
}

/** What went wrong is seen at once; views and lists are opened by whoever wants them. */
function Answer({ result: { ok, text } }: { result: ToolResult }) {
  const lines = text.split("\n").length;
  if (!ok || lines <= SHORT_LINES) return <Code>{text}</Code>;
  return <Folded title={`The answer (${lines} lines)`} text={text} />;
}

const SHORT_LINES = 3;

type Given = Record<string, unknown>;

function parsed(text: string): Given | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Given) : undefined;
  } catch {
    return undefined;
  }
}

interface ArgumentsGiven {
  given: Given | undefined;
  raw: string;
  linking: Linking;
}

/** Shown by their form, whatever the tool: files with content, edits of a file, files to read. */
function Arguments({ given, raw, linking }: ArgumentsGiven) {
  if (Array.isArray(given?.files) && given.files.some(hasContent)) {
    return (
      <>
        {given.files.map((file, index) => (
          <Written key={index} {...textsIn(file, ["path", "content"])} linking={linking} />
        ))}
      </>
    );
  }
  if (Array.isArray(given?.edits)) {
    return (
      <>
        <p>
          <FileLink path={String(given.path ?? "")} linking={linking} />
        </p>
        {given.edits.map((edit, index) => (
          <Edit key={index} path={String(given.path ?? "")} {...textsIn(edit, ["find", "replace"])} />
        ))}
      </>
    );
  }
  if (Array.isArray(given?.files)) return <Read files={given.files} linking={linking} />;
  if (!given) return <Code>{raw}</Code>;
  return Object.keys(given).length > 0 ? <Value value={given} /> : null;
}

const hasContent = (file: unknown): boolean => typeof file === "object" && file !== null && "content" in file;

const Read = ({ files, linking }: { files: unknown[]; linking: Linking }) => (
  <ul class="findings">
    {files.map((file, index) => {
      const {
        path,
        from_line: from,
        to_line: to,
      } = (typeof file === "object" && file !== null ? file : { path: file }) as Given;
      const lines = from === undefined && to === undefined ? "" : ` lines ${from ?? 1} to ${to ?? "the last"}`;
      return (
        <li key={index}>
          <FileLink path={String(path)} {...(typeof from === "number" ? { line: from } : {})} linking={linking} />
          {lines}
        </li>
      );
    })}
  </ul>
);

/** Models write what they like: what is no text is shown as JSON. */
function textsIn<Name extends string>(value: unknown, names: Name[]): Record<Name, string> {
  const record = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const texts = names.map((name) => [
    name,
    typeof record[name] === "string" ? record[name] : JSON.stringify(record[name]),
  ]);
  return Object.fromEntries(texts) as Record<Name, string>;
}

function Written({ path, content, linking }: Record<"path" | "content", string> & { linking: Linking }) {
  return (
    <>
      <p>
        <FileLink path={path} linking={linking} />
      </p>
      <CodeLines path={path} text={content} />
    </>
  );
}

/** Its numbers are those of the piece, not of the file. */
const Edit = ({ path, find, replace }: Record<"path" | "find" | "replace", string>) => (
  <div class="unnumbered">
    <TextDiff path={path} old={find ?? ""} now={replace ?? ""} />
  </div>
);
