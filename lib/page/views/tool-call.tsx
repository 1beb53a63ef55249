/** One tool call: what was asked, readably, and what was answered. */
import type { ToolResult } from "../../core/turn.ts";
import { Code, ColouredCode } from "./code.tsx";

interface Call {
  name: string;
  arguments: string;
}

export function ToolCallView({ call, result }: { call: Call; result: ToolResult | undefined }) {
  const given = parsed(call.arguments);
  return (
    <details class="call" open={result?.ok === false}>
      <summary>
        <span class={result?.ok === false ? "lost" : ""}>{call.name}</span>{" "}
        <span class="quiet">{result?.note ?? "not run"}</span>
      </summary>
      <Asked name={call.name} given={given} raw={call.arguments} />
      {result && <Code>{result.text}</Code>}
    </details>
  );
}

type Given = Record<string, unknown>;

function parsed(text: string): Given | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Given) : undefined;
  } catch {
    return undefined;
  }
}

function Asked({ name, given, raw }: { name: string; given: Given | undefined; raw: string }) {
  if (name === "write_files" && Array.isArray(given?.files)) {
    return (
      <>
        {given.files.map((file, index) => (
          <Written key={index} {...textsIn(file, ["path", "content"])} />
        ))}
      </>
    );
  }
  if (name === "edit_file" && Array.isArray(given?.edits)) {
    return (
      <>
        <p>
          <bdi>{String(given.path ?? "")}</bdi>
        </p>
        {given.edits.map((edit, index) => (
          <Edit key={index} {...textsIn(edit, ["find", "replace"])} />
        ))}
      </>
    );
  }
  return <Code>{given ? JSON.stringify(given, undefined, 2) : raw}</Code>;
}

/** Models write what they like: what is no text is shown as JSON. */
function textsIn<Name extends string>(value: unknown, names: Name[]): Record<Name, string> {
  const record = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const texts = names.map((name) => [
    name,
    typeof record[name] === "string" ? record[name] : JSON.stringify(record[name]),
  ]);
  return Object.fromEntries(texts) as Record<Name, string>;
}

function Written({ path, content }: Record<"path" | "content", string>) {
  return (
    <>
      <p>
        <bdi>{path}</bdi>
      </p>
      <ColouredCode path={path} text={content} />
    </>
  );
}

const Edit = ({ find, replace }: Record<"find" | "replace", string>) => (
  <Code>
    <del>{prefixed("- ", find)}</del>
    <ins>{prefixed("+ ", replace)}</ins>
  </Code>
);

const prefixed = (sign: string, text: string): string =>
  (text ?? "")
    .split("\n")
    .map((line) => `${sign}${line}\n`)
    .join("");
