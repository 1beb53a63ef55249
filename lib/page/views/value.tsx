/** Any value of JSON, readably: names with what they stand for, lists as lists, texts as texts. */
import { reveal } from "../../core/text/sanitize.ts";
import { Code } from "./code.tsx";

export function Value({ value }: { value: unknown }) {
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
