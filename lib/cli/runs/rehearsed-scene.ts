/** Which written scene a rehearsal plays, and what is said about it. */
import type { Domain } from "../../core/run/options.ts";
import { projectFile } from "../../files/project-files.ts";

export interface RehearsedScene {
  task: string;
  /** The default name of the run. */
  name?: string;
  notice: string;
}

export async function rehearsedScene(task: string | undefined, domain: Domain): Promise<RehearsedScene> {
  const { readScenes, sceneFor } = await import("../../model/rehearsal/read-scenes.ts");
  const { name, task: own } = sceneFor(readScenes(projectFile("rehearsals")), task ?? "", domain);
  const plain = "This is a rehearsal: no model is asked, and nothing is paid.";
  if (task === undefined) return { task: own, name, notice: `${plain} The scene "${name}" was written beforehand.` };
  return {
    task,
    notice: `${plain} The scene "${name}" was written beforehand and does not depend on your task.`,
  };
}
