/** One instruction of the outline: its title, text and requirements, and where it is in the order. */
import { useRef } from "preact/hooks";
import type { DraftInstruction } from "../../../../lib/core/program/program.ts";
import { changeItem, type EditedItem, moveItem, removeItem } from "../../program-edit.ts";
import type { EditorProps } from "./program-editor.tsx";

interface EditedInstructionProps extends EditorProps {
  item: EditedItem;
  index: number;
}

export function EditedInstruction({ item: { key, instruction }, index, edited, change }: EditedInstructionProps) {
  const row = useRef<HTMLLIElement>(null);
  const name = `instruction ${index + 1}`;
  const set = (changed: Partial<DraftInstruction>): void => change(changeItem(edited, key, changed));

  /** An element that moves loses the focus. */
  function move(to: number, button: HTMLElement): void {
    change(moveItem(edited, index, to));
    requestAnimationFrame(() => {
      const other = row.current?.querySelector<HTMLElement>("button:enabled");
      (button.matches(":enabled") ? button : other)?.focus();
    });
  }

  function remove(): void {
    const next = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
    change(removeItem(edited, key));
    const focused = next?.querySelector<HTMLElement>("input") ?? document.querySelector<HTMLElement>(".add");
    requestAnimationFrame(() => focused?.focus());
  }

  return (
    <li ref={row} class="card">
      <p class="item-head">
        <span class="quiet">{index + 1}</span>
        <input
          aria-label={`Title of ${name}`}
          value={instruction.title}
          onInput={(event) => set({ title: event.currentTarget.value })}
        />
        <button
          type="button"
          aria-label={`Move ${name} up`}
          disabled={index === 0}
          onClick={(event) => move(index - 1, event.currentTarget)}
        >
          ↑
        </button>
        <button
          type="button"
          aria-label={`Move ${name} down`}
          disabled={index === edited.items.length - 1}
          onClick={(event) => move(index + 1, event.currentTarget)}
        >
          ↓
        </button>
        <button type="button" aria-label={`Remove ${name}`} onClick={remove}>
          ✕
        </button>
      </p>
      <textarea
        aria-label={`Text of ${name}`}
        rows={rowsOf(instruction.text)}
        value={instruction.text}
        onInput={(event) => set({ text: event.currentTarget.value })}
      />
      <Served instruction={instruction} ids={edited.requirements.map(({ id }) => id)} name={name} set={set} />
    </li>
  );
}

/** Enough for its words where a line has about 60 characters. */
const rowsOf = (text: string): number =>
  Math.min(
    10,
    text.split("\n").reduce((rows, line) => rows + Math.ceil((line.length + 1) / 60), 0),
  );

interface ServedProps {
  instruction: DraftInstruction;
  ids: string[];
  name: string;
  set: (changed: Partial<DraftInstruction>) => void;
}

function Served({ instruction: { requirements }, ids, name, set }: ServedProps) {
  if (ids.length === 0) return null;
  return (
    <fieldset>
      <legend class="heard">Requirements of {name}</legend>
      {ids.map((id) => (
        <label key={id} class="check small">
          <input
            type="checkbox"
            checked={requirements.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              set({ requirements: ids.filter((each) => (each === id ? checked : requirements.includes(each))) })
            }
          />
          {id}
        </label>
      ))}
    </fieldset>
  );
}
