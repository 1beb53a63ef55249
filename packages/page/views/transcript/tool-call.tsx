/** One tool call: what was asked, readably, and what was answered. */
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import type { ToolResult } from "../../../../lib/core/turn/turn.ts";
import { Code, CodeLines } from "../code.tsx";
import { TextDiff } from "../diff.tsx";
import { FileLink, type TurnLink } from "../file-link.tsx";
import { Folded } from "./verdict-view.tsx";

interface Call {
  name: string;
  arguments: string;
}

interface CallProps {
  call: Call;
  result: ToolResult | undefined;
  linking: TurnLink;
}

export function ToolCallView({ call, result, linking }: CallProps) {
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

/** Failures are open; longer results are folded. */
function Answer({ result: { ok, text } }: { result: ToolResult }) {
  const lines = text.split("\n").length;
  if (!ok || lines <= SHORT_LINES) return <Code>{text}</Code>;
  return <Folded title={`Result (${lines} lines)`} text={text} />;
}

const SHORT_LINES = 3;

type Arguments = Record<string, unknown>;

function parsed(text: string): Arguments | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Arguments) : undefined;
  } catch {
    return undefined;
  }
}

/** Shown by their form, whatever the tool: files with content, edits of a file, files to read. */
function Arguments({ given, raw, linking }: { given: Arguments | undefined; raw: string; linking: TurnLink }) {
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

const Read = ({ files, linking }: { files: unknown[]; linking: TurnLink }) => (
  <ul class="findings">
    {files.map((file, index) => {
      const {
        path,
        from_line: from,
        to_line: to,
      } = (typeof file === "object" && file !== null ? file : { path: file }) as Arguments;
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

/** Arguments come from a model: values that are not text are shown as JSON. */
function textsIn<Name extends string>(value: unknown, names: Name[]): Record<Name, string> {
  const record = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const texts = names.map((name) => [
    name,
    typeof record[name] === "string" ? record[name] : JSON.stringify(record[name]),
  ]);
  return Object.fromEntries(texts) as Record<Name, string>;
}

function Written({ path, content, linking }: Record<"path" | "content", string> & { linking: TurnLink }) {
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

/** A JSON value: objects as definition lists, arrays as lists. */
function Value({ value }: { value: unknown }) {
  if (typeof value === "string")
    return value.includes("\n") ? <Code>{value}</Code> : <span class="said">{reveal(value)}</span>;
  if (Array.isArray(value)) {
    return (
      <ul class="values">
        {value.map((each, index) => (
          <li key={index}>
            <Value value={each} />
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value === "object" && value !== null) {
    return (
      <dl class="values">
        {Object.entries(value).map(([name, each]) => (
          <div key={name}>
            <dt>{reveal(name)}</dt>
            <dd>
              <Value value={each} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return <span>{String(value)}</span>;
}
