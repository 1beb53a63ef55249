/** What a lane did of an instruction in vain: the run's own conversation takes over what still fits. */
import { baseWords } from "../../core/program/ahead.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { lineDifference } from "../../core/text/line-difference.ts";
import { linesWithin } from "../../core/turn/shown-notes.ts";
import { readBlob } from "../files/verified-read.ts";
import { AHEAD } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";

/** Empty where no lane finished it. `tokens`: at most. */
export async function noteDropped({ world, state }: OpenStep, tokens: number): Promise<string> {
  const { run, instruction, tree } = state;
  const { ahead, number = 0 } = instruction ?? {};
  if (ahead?.state !== "dropped" || ahead.body === undefined) return "";
  const { files, registry } = world;
  const { record, summary } = await readBody(files, { key: ahead.body, hash: ahead.sha256 ?? "" }, AHEAD);
  const text = async (sha: string | null): Promise<string> =>
    (sha !== null && decodeText(await readBlob(files, run.id, sha))) || "";
  const written = await Promise.all(
    record.writes.map(async ({ path, was, sha256 }) => {
      const [before, now] = [await text(was), decodeText((await tree.work.read(path)) ?? new Uint8Array())];
      const left = await text(sha256);
      const present = now === before ? [] : [`## ${path}: now`, now || "(empty, gone or no text)"];
      const own =
        was === null ? [`## ${path}: your new file`, left] : [`## ${path}: your change`, lineDifference(before, left)];
      return { isOther: now !== before, text: [...present, ...own].join("\n") };
    }),
  );
  const changes = written.toSorted((one, other) => Number(other.isOther) - Number(one.isOther)).map(({ text }) => text);
  const first = ahead.base + 1;
  const between = first < number ? await registry.instructionsFrom(run.id, { first, limit: number - first }) : [];
  const reports = between.map(
    ({ number, title, summary, next }) => `${number}. ${title}, accepted meanwhile: ${summary ?? ""} ${next ?? ""}`,
  );
  const { lines, more } = linesWithin([...reports, ...changes].join("\n").split("\n"), tokens);
  return [
    `You did this instruction ${baseWords(ahead.base)}, and it was accepted there. Then it was set aside: ${ahead.why?.replace(/\.$/, "")}. Nothing of it is in the files now.`,
    `You reported: ${summary}`,
    `Put it onto the files as they are: copy what still fits, and use what came meanwhile in place of your own. Files that others changed too are shown as they are now${more === 0 ? "; you need not read them" : ""}.`,
    "",
    ...lines,
    ...(more > 0 ? [`(and ${more} more lines)`] : []),
  ].join("\n");
}
