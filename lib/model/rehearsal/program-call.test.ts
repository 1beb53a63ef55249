import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Planned } from "../../../test/scene-player/tools.ts";
import type { ChatMessage } from "../../core/ports.ts";
import { createRehearsalModel } from "./player.ts";
import { readScenes, sceneFor } from "./read-scenes.ts";

const rehearsals = fileURLToPath(new URL("../../../rehearsals", import.meta.url));
const scenes = readScenes(rehearsals);
const tally = sceneFor(scenes, "tally");

const TASK = `# Task\n\n${tally.task}\n`;
const KNOWN = `# Requirements\n\n${tally.requirements.map(({ id, text }) => `${id}: ${text}`).join("\n")}\n`;
const NOT_KNOWN = "Where none are listed, name them as R1, R2, …\n";
const FIRST_DRAFT: ChatMessage[] = [
  { role: "assistant", content: "", toolCalls: [{ id: "a", name: "write_program", arguments: "{}" }] },
  { role: "tool", name: "write_program", toolCallId: "a", content: "R5: no instruction serves it yet." },
];

async function program(opening: string, then: ChatMessage[] = []): Promise<Planned> {
  const messages: ChatMessage[] = [{ role: "user", content: `Planning the program\n\n${opening}` }, ...then];
  const tools = [{ name: "write_program", description: "", parameters: {} }];
  const answer = await createRehearsalModel({ rehearsals }).ask({
    messages,
    tools,
    maxOutputTokens: 8_192,
    timeoutMs: 1,
  });
  return JSON.parse(answer.toolCalls[0]?.arguments ?? "") as Planned;
}

const served = ({ instructions }: Planned) =>
  [...new Set(instructions.flatMap((instruction) => instruction.requirements))].sort();

const missing = (draft: Planned, ids: string[]) => ids.filter((id) => !served(draft).includes(id));

describe("the program of a scene", () => {
  it.each(scenes.filter((scene) => scene.name !== "units"))(
    "$name forgets one requirement in its first draft, and serves all after reflection",
    async (scene) => {
      const ids = scene.requirements.map(({ id }) => id);
      const task = `# Task\n\n${scene.task}\n\n# End`;
      expect(missing(await program(task), ids)).toHaveLength(1);
      expect(missing(await program(task, FIRST_DRAFT), ids)).toEqual([]);
    },
  );

  it("names the requirements only where the task's own are not listed", async () => {
    expect((await program(TASK + NOT_KNOWN)).requirements).toEqual(tally.requirements);
    expect(await program(TASK + KNOWN + NOT_KNOWN)).not.toHaveProperty("requirements");
  });

  it("names only requirements that the listing knows, and leaves none of them unserved after reflection", async () => {
    const foreign = "# Task\n\nWrite a chess clock.\n\n# Requirements\n\nR1: two players\nR1.1: a bell\nR40: a pause\n";
    expect(served(await program(foreign))).toEqual(["R1"]);
    expect(served(await program(foreign, FIRST_DRAFT))).toEqual(["R1", "R1.1", "R40"]);
  });

  it("is no longer than the prompt or a refusal allows, and loses no requirement by that", async () => {
    const limited = await program(`${TASK}Use at most 3 instructions.`, FIRST_DRAFT);
    expect(limited.instructions).toHaveLength(3);
    expect(served(limited)).toEqual(tally.requirements.map(({ id }) => id));
    const refusal: ChatMessage = { role: "user", content: "7 instructions; at most 2 are allowed." };
    expect((await program(TASK, [...FIRST_DRAFT, refusal])).instructions).toHaveLength(2);
  });

  it("is not shortened by what the task says of other things", async () => {
    const task = `# Task\n\nA tally of at most 2 players, with at most 3 lists.\n`;
    expect((await program(task)).instructions).toHaveLength(tally.parts.length);
  });
});
