/** Files to send with a task: a zip, or a folder, of which secrets are left out. */
import { useState } from "preact/hooks";
import { messageOf } from "../../../../lib/core/errors.ts";
import { pluralize } from "../../../../lib/core/text/format.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { type ChosenTree, readChosen } from "../../browser/upload.ts";

/** No attribute of the standard: it has no type. */
const takeFolders = (input: HTMLInputElement | null): void => input?.setAttribute("webkitdirectory", "");

interface UploadFieldProps {
  name: string;
  label: string;
  chosen: ChosenTree | undefined;
  choose: (tree: ChosenTree | undefined) => void;
}

export function UploadField({ name, label, chosen, choose }: UploadFieldProps) {
  const [problem, setProblem] = useState<string>();

  async function read(files: File[]): Promise<void> {
    setProblem(undefined);
    choose(undefined);
    if (files.length === 0) return;
    try {
      choose(await readChosen(files));
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  const filesIn = (input: HTMLInputElement): File[] => [...(input.files ?? [])];
  return (
    <fieldset>
      <legend>{label}</legend>
      <label>
        As a zip
        <input
          type="file"
          accept=".zip,application/zip"
          aria-label={`${label}, as a zip`}
          data-upload={name}
          onChange={(event) => void read(filesIn(event.currentTarget))}
        />
      </label>
      <label>
        As a folder
        <input
          type="file"
          ref={takeFolders}
          multiple
          aria-label={`${label}, as a folder`}
          onChange={(event) => void read(filesIn(event.currentTarget))}
        />
      </label>
      {chosen && <p class="quiet">{pluralize(chosen.files.size, "file")} will be sent.</p>}
      {chosen && chosen.secrets.length > 0 && (
        <p class="warning">Left out, because they look like secrets: {reveal(chosen.secrets.join(", "))}</p>
      )}
      {problem && (
        <p class="lost" role="alert">
          {reveal(problem)}
        </p>
      )}
    </fieldset>
  );
}
