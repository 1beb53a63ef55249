/** The question of a run, and the fields for its answer: one of the choices, or a text. */
import type { ProgramAnswer, RunView } from "../../../../lib/api/answers.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { maskSecrets } from "../../../../lib/core/text/secrets.ts";
import type { Problems } from "../../browser/wrong-field.ts";
import { Words } from "../form/words.tsx";

interface AnswerFieldsProps {
  run: RunView;
  program: ProgramAnswer;
  problems: Problems["fields"];
}

export function AnswerFields({ run: { question }, program, problems: { text, choice } }: AnswerFieldsProps) {
  // The run has its beginning until the program is read.
  const asking = program.instructions.find(({ number }) => number === question?.step) ?? question;
  const saveTo = asking && "saveTo" in asking ? asking.saveTo : undefined;
  return (
    <>
      <p class="question">{reveal(maskSecrets(asking?.text ?? ""))}</p>
      {asking?.choices ? (
        <fieldset aria-label="Choices">
          {asking.choices.map((each, index) => (
            <label key={index} class="check">
              <input type="radio" name="choice" value={index + 1} />
              {reveal(maskSecrets(each))}
            </label>
          ))}
          {choice && (
            <span class="lost" role="alert">
              {choice}
            </span>
          )}
        </fieldset>
      ) : (
        <Words name="text" label="Answer" problem={text} />
      )}
      {saveTo && <p class="quiet">The answer becomes the file {reveal(saveTo)}.</p>}
    </>
  );
}
