/** Which written scene a rehearsal plays, and what is said about it. */
import type { PromptPack } from "../../core/prompt/prompt.ts";
import { projectFile } from "../../files/project-files.ts";

export interface RehearsedScene {
  task: string;
  /** The default name of the run. */
  name?: string;
  notice: string;
}

interface Rehearsal {
  task: string | undefined;
  pack: PromptPack;
  /** A program of the user's is executed. */
  hasProgram: boolean;
}

export async function rehearsedScene({ task, pack, hasProgram }: Rehearsal): Promise<RehearsedScene> {
  const { domainSpoken, readScenes, sceneFor } = await import("../../model/rehearsal/read-scenes.ts");
  const domain = domainSpoken(pack.texts.planner) ?? pack.declaration.domain;
  const { name, task: own } = sceneFor(readScenes(projectFile("rehearsals")), task ?? "", domain);
  const plain = `This is a rehearsal: no model is asked, and nothing is paid.${hasProgram ? ` ${OF_PROGRAM}` : ""}`;
  if (task === undefined) return { task: own, name, notice: `${plain} The scene "${name}" was written beforehand.` };
  return {
    task,
    notice: `${plain} The scene "${name}" was written beforehand and does not depend on your task.`,
  };
}

const OF_PROGRAM =
  "Your program is executed instruction by instruction, but the answers are the scene's: files and tests will not fit its titles.";
