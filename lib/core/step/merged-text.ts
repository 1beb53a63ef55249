/** What a step wrote that no check reads: nothing shows that such a text is stale. Pure. */
import { SOURCE_LANGUAGES, sourceLanguageOf } from "../text/source-languages.ts";
import type { StepReading, StepRecord } from "./step-record.ts";

type Notes = string | undefined;

/** Lines of several steps are joined in it. `notes`: the path of the project's notes. */
export const isMergedText = (path: string, notes: Notes): boolean => path === notes || README.test(path);
const README = /(?:^|\/)README\.md$/i;

/** All but source code and the settings that its runners read. The project's notes are of the step alone. */
export const uncheckedTexts = ({ writes }: Pick<StepRecord, "writes">, notes: Notes): string[] =>
  writes.map(({ path }) => path).filter((path) => path !== notes && !isCode(path) && !isSettings(path));

function isCode(path: string): boolean {
  const language = sourceLanguageOf(path);
  return language !== undefined && language.name !== "HTML";
}

function isSettings(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SOURCE_LANGUAGES.some(({ settings }) => settings?.test(name));
}

/** Of such a text it is joined what the step changed, whatever else was changed in it. */
export const isOfMergedText = (reading: StepReading, { touched }: Pick<StepRecord, "touched">, notes: Notes): boolean =>
  reading.kind === "file" &&
  (reading.path === notes || (touched.includes(reading.path) && isMergedText(reading.path, notes)));
