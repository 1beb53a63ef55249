/** Which written scene a rehearsal plays, and what is said about it. */
import type { Domain } from "../../core/run/run.ts";

export interface RehearsedScene {
  task: string;
  /** What the run is called, where nobody says otherwise. */
  name?: string;
  notice: string;
}

export async function rehearsedScene(task: string | undefined, domain: Domain): Promise<RehearsedScene> {
  const { sceneFor } = await import("../../model/scenes.ts");
  const { name, task: own } = sceneFor(task ?? "", domain);
  const plain = "This is a rehearsal: no model is asked, and nothing is paid.";
  if (task === undefined) return { task: own, name, notice: `${plain} The scene "${name}" was written beforehand.` };
  return {
    task,
    notice: `${plain} The scene "${name}" was written beforehand and does not depend on your task.`,
  };
}
