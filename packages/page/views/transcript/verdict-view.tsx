/** A verdict: findings with links to their lines, and failing tests with their messages. */
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import type { Finding, TestCase, Verdict } from "../../../../lib/core/verdict/verdict.ts";
import {
  commandWords,
  missingWords,
  scopeNote,
  scopesOf,
  syntaxTitle,
  syntaxWords,
  testsWords,
} from "../../../../lib/core/verdict/verdict-words.ts";
import { Code } from "../code.tsx";
import { FileLink, type TurnLink } from "../file-link.tsx";

export function VerdictView({ verdict, linking }: { verdict: Verdict; linking: TurnLink }) {
  const { syntax, tests, command, smoke } = verdict;
  const scope = scopeNote(scopesOf(verdict));
  return (
    <section class="verdict" aria-label="Verdict">
      {isAsked(syntax) && (
        <h3>
          {syntaxTitle(syntax)}: {syntaxWords(syntax)}
        </h3>
      )}
      <Findings findings={syntax.errors} linking={linking} />
      {syntax.warnings && syntax.warnings.length > 0 && (
        <details>
          <summary>Warnings ({syntax.warnings.length}), which do not block</summary>
          <Findings findings={syntax.warnings} linking={linking} />
        </details>
      )}
      {isAsked(tests) && <h3>Tests: {testsWords(tests)}</h3>}
      <Cases cases={tests.cases} />
      <Folded title="Test output" text={tests.output} />
      {command && <h3>Command: {commandWords(command)}</h3>}
      {command && <Folded title="Output" text={[command.stdout, command.stderr].join("\n").trim()} />}
      {smoke && <h3>Clean-room check: {smoke.detail ?? smoke.reason ?? smoke.status}</h3>}
      {smoke && <Folded title="Output" text={smoke.output} />}
      {missingWords(verdict).map((words) => (
        <p key={words} class="lost">
          {words}
        </p>
      ))}
      {scope && <p class="quiet">Partial check: {scope}.</p>}
      {verdict.truncated.length > 0 && <p class="quiet">Truncated: {verdict.truncated.join("; ")}.</p>}
    </section>
  );
}

/** Checks that were not requested are not shown. */
const isAsked = ({ status, reason }: Verdict["tests"] | Verdict["syntax"]): boolean =>
  status !== "not_run" || reason !== "not_asked";

/** Most findings shown. */
const SHOWN = 200;

function Findings({ findings, linking }: { findings: Finding[]; linking: TurnLink }) {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.slice(0, SHOWN).map(({ path, line, message, rule }, index) => (
        <li key={index}>
          <FileLink path={path} {...(line === undefined ? {} : { line })} linking={linking} />{" "}
          <span class="said">{reveal(message)}</span> {rule && <span class="quiet">({rule})</span>}
        </li>
      ))}
      {findings.length > SHOWN && <li class="quiet">and {findings.length - SHOWN} more</li>}
    </ul>
  );
}

function Cases({ cases }: { cases: TestCase[] }) {
  const failing = cases.filter(({ status }) => status === "failed" || status === "error");
  const others = cases.filter(({ status }) => status === "passed" || status === "skipped");
  return (
    <>
      {failing.length > 0 && (
        <ul class="findings">
          {failing.slice(0, SHOWN).map(({ name, status, message }, index) => (
            <li key={index}>
              <Folded title={`${status}: ${name}`} text={message ?? "No message."} />
            </li>
          ))}
          {failing.length > SHOWN && <li class="quiet">and {failing.length - SHOWN} more</li>}
        </ul>
      )}
      {others.length > 0 && (
        <Folded
          title={`Other tests (${others.length})`}
          text={others.map(({ name, status }) => `${status}: ${name}`).join("\n")}
        />
      )}
    </>
  );
}

export const Folded = ({ title, text }: { title: string; text: string }) =>
  text === "" ? null : (
    <details>
      <summary>{reveal(title)}</summary>
      <Code>{text}</Code>
    </details>
  );
