/** Saves a person's answer as the file that its `ask` names, and accepts the step. No model is asked. */
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { type Turn, turnWithoutAnswer } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { layAnswer } from "../files/lay-answer.ts";
import { filesAdded } from "../files/layers.ts";
import { readBlob } from "../files/verified-read.ts";
import { EFFECTS } from "../turn/body-kinds.ts";
import { bodyOf } from "../turn/journal.ts";
import type { World } from "../world.ts";
import { ANSWER_TURN, accepted, acceptedEvent, effectsOf } from "./accepted-answer.ts";

/** The answer was stored before its epoch began: each attempt commits the same turn. */
export async function saveAnswer(world: World, run: Run): Promise<Run> {
  const { registry, files } = world;
  const instruction = await registry.instruction(run.id, run.pc);
  const { answer } = run;
  if (!instruction?.saveTo || !answer) throw new Error(`Instruction ${run.pc} of run ${run.id} has no answer to save.`);
  const content = await readBlob(files, run.id, answer.sha256);
  const file = { path: instruction.saveTo, content };
  const laid = await layAnswer(world, run, file);
  if ("problem" in laid) throw new Error(`The answer to instruction ${run.pc} cannot be saved: ${laid.problem}`);
  const text = new TextDecoder().decode(content);
  const body = bodyOf(EFFECTS, effectsOf({ path: file.path, text }));
  const effectsKey = fileStoreKeys(run.id).effects({ instruction: run.pc, turn: ANSWER_TURN, attempt: run.attempt });
  await files.put(effectsKey, body.bytes);
  const changed = laid.tree.turnChanges(ANSWER_TURN);
  const changes = changed.flatMap((each) => each.changes);
  const now = world.clock.now();
  const at = new Date(now).toISOString();
  return registry.commit(run, {
    turn: {
      ...turnWithoutAnswer(run, now),
      instruction: run.pc,
      turn: ANSWER_TURN,
      outcome: "answer",
      ...copiedFrom(instruction),
      effectsKey,
      effectsSha256: body.hash,
      changes,
      did: `saved ${file.path}`,
    },
    newTurn: true,
    entries: changed.map(({ entry }) => entry),
    run: {
      pc: run.pc + 1,
      turn: 0,
      forgivenTurn: 0,
      files: run.files + filesAdded(changes),
      remove: ["question", "hint"],
    },
    instruction: { number: run.pc, set: accepted({ text, at, sha256: answer.sha256, changes }) },
    events: [acceptedEvent(run, instruction, changes)],
  });
}

/** A person answered the same question of another run. */
const copiedFrom = ({ inherited }: Instruction): Pick<Turn, "copied"> =>
  inherited ? { copied: { run: inherited.run, instruction: inherited.instruction } } : {};
