/** The program that waits for approval, to be judged and edited: as an outline beside its requirements, or as Markdown. */
import { useState } from "preact/hooks";
import { addItem, type EditedProgram, findingsIn, toMarkdown, toOutline } from "../../program-edit.ts";
import { EditedInstruction } from "./edited-instruction.tsx";
import { RequirementList } from "./requirement-list.tsx";

export interface EditorProps {
  edited: EditedProgram;
  change: (edited: EditedProgram) => void;
}

export function ProgramEditor({ edited, change }: EditorProps) {
  const [problem, setProblem] = useState<string>();
  const [findings, setFindings] = useState<string[]>([]);

  function turn(): void {
    const turned = edited.markdown === undefined ? toMarkdown(edited) : toOutline(edited);
    setProblem("problem" in turned ? turned.problem : undefined);
    setFindings([]);
    if (!("problem" in turned)) change(turned);
  }

  return (
    <section class="editor" aria-label="Program to approve">
      <p class="editor-head">
        <span>Nothing is executed before you approve. You can change the program first.</span>
        <button type="button" onClick={turn}>
          {edited.markdown === undefined ? "Edit as Markdown" : "Edit as outline"}
        </button>
      </p>
      {problem !== undefined && (
        <p class="lost" role="alert">
          {problem}
        </p>
      )}
      {edited.markdown === undefined ? (
        <Outline edited={edited} change={change} />
      ) : (
        <label>
          Program as Markdown: a list with one instruction per item
          <textarea
            class="markdown"
            rows={24}
            spellcheck={false}
            value={edited.markdown}
            onInput={(event) => change({ ...edited, markdown: event.currentTarget.value })}
            onChange={() => setFindings(findingsIn(edited))}
          />
        </label>
      )}
      {findings.length > 0 && (
        <ul class="odd" aria-label="Findings">
          {findings.map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Outline = ({ edited, change }: EditorProps) => (
  <div class="outline">
    <div>
      <ol aria-label="Instructions to approve">
        {edited.items.map((item, index) => (
          <EditedInstruction key={item.key} item={item} index={index} edited={edited} change={change} />
        ))}
      </ol>
      <button type="button" class="add" onClick={() => change(addItem(edited))}>
        Add an instruction
      </button>
    </div>
    <RequirementList edited={edited} />
  </div>
);
