/** The form that starts a run. Problems are shown beside their fields. */
import { useState } from "preact/hooks";
import type { ServerAnswer } from "../../../../lib/api/answers.ts";
import { ask } from "../../browser/ask.ts";
import { problemsIn, readSubmission } from "../../browser/submission.ts";
import { type ChosenTree, sendTree } from "../../browser/upload.ts";
import { focusOnProblem, type Problems } from "../../browser/wrong-field.ts";
import { Labelled } from "../form/labelled.tsx";
import { Fields } from "./fields.tsx";
import { MoreOptions } from "./more-options.tsx";
import { UploadField } from "./upload-field.tsx";

interface NewRunProps {
  isOpen: boolean;
  server: ServerAnswer | undefined;
  onStarted: (id: string) => void;
}

export function NewRun({ isOpen, server, onStarted }: NewRunProps) {
  const [from, setFrom] = useState<ChosenTree>();
  const [tests, setTests] = useState<ChosenTree>();
  const { problems, isSending, submit } = useSubmission({ onStarted, from, tests });
  return (
    <details class="card" open={isOpen}>
      <summary>New run</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending) void submit(event.currentTarget);
        }}
      >
        <Fields problems={problems.fields} server={server} />
        <Labelled
          label="Program (optional): a Markdown list or JSON, one instruction per item, executed as given"
          problem={problems.fields.program}
        >
          <textarea name="program" rows={3} aria-invalid={problems.fields.program !== undefined} />
        </Labelled>
        <details class="options">
          <summary>Files to start from, and tests</summary>
          <UploadField name="files" label="Files to start from" chosen={from} choose={setFrom} />
          <UploadField name="tests" label="Tests that the result must pass" chosen={tests} choose={setTests} />
        </details>
        <MoreOptions problems={problems.fields} />
        {problems.detail && (
          <p class="lost" role="alert" tabIndex={-1}>
            {problems.detail}
          </p>
        )}
        <button type="submit" class="primary" aria-disabled={isSending}>
          {isSending ? "Starting…" : "Start run"}
        </button>
      </form>
    </details>
  );
}

interface Submitting extends Pick<NewRunProps, "onStarted"> {
  from: ChosenTree | undefined;
  tests: ChosenTree | undefined;
}

function useSubmission({ onStarted, from, tests }: Submitting) {
  const [problems, setProblems] = useState<Problems>({ fields: {} });
  const [isSending, setSending] = useState(false);
  async function submit(form: HTMLFormElement): Promise<void> {
    setSending(true);
    setProblems({ fields: {} });
    try {
      const body = { ...readSubmission(new FormData(form)), ...(await sentTrees({ from, tests })) };
      onStarted((await ask<{ id: string }>("/runs", { method: "POST", body })).id);
    } catch (error) {
      setProblems(problemsIn(error));
      focusOnProblem(form);
    } finally {
      setSending(false);
    }
  }
  return { problems, isSending, submit };
}

async function sentTrees({ from, tests }: Omit<Submitting, "onStarted">): Promise<Record<string, unknown>> {
  const [files, given] = [from && (await sendTree(from.files)), tests && (await sendTree(tests.files))];
  const uploads = {
    ...(files?.upload === undefined ? {} : { files: files.upload }),
    ...(given?.upload === undefined ? {} : { tests: given.upload }),
  };
  return {
    ...(files?.files ? { files: files.files } : {}),
    ...(given?.files ? { tests: given.files } : {}),
    ...(Object.keys(uploads).length > 0 ? { uploads } : {}),
  };
}
