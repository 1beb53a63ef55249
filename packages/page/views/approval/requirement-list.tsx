/** What the task asks for, with the instructions that serve each. */
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { type EditedProgram, servedBy } from "../../program-edit.ts";

export function RequirementList({ edited }: { edited: EditedProgram }) {
  if (edited.requirements.length === 0) return null;
  return (
    <aside aria-label="Requirements">
      <h3>Requirements</h3>
      <ul class="findings">
        {edited.requirements.map(({ id, text }) => {
          const served = servedBy(edited, id);
          return (
            <li key={id}>
              <strong>{id}</strong> {reveal(text)}{" "}
              <span class={served.length > 0 ? "quiet" : "odd"}>
                {served.length > 0 ? `in ${served.join(", ")}` : "in no instruction"}
              </span>
            </li>
          );
        })}
      </ul>
    </aside>
  );
}
