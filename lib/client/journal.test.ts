import { describe, expect, it } from "vitest";
import { aTurn } from "../../test/doubles/histories.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { UserError } from "../core/errors.ts";
import { instructionOf } from "../core/program/program.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";
import type { Entry } from "./answers.ts";
import { fetchJournal, type JournalSource } from "./journal.ts";

const ahead = { lane: 2, base: 0, state: "joined" } as const;
const sourceOf = (turn: (at: TurnAddress) => Entry | undefined): JournalSource => ({
  task: async () => ({}) as Awaited<ReturnType<JournalSource["task"]>>,
  program: async () => ({
    instructions: [{ ...instructionOf({ title: "One", text: "x", requirements: [] }, 1), ahead }],
    requirements: [],
  }),
  turn: async (_id, at) => turn(at),
  wholeFiles: async () => [],
  events: async () => ({ events: [] }),
  output: async () => new Map(),
});
const run = aRun({ pc: 1, options: { ...aRun().options, parallel: 2 } });
const only = ({ turn, ...at }: TurnAddress): Entry | undefined =>
  turn === 1 ? { turn: aTurn(at.instruction, 1, at.lane ? { lane: at.lane, ahead: "joined" } : {}) } : undefined;

describe("the journal of a run with lanes", () => {
  it("has the turns of lanes before the run's own of their instruction", async () => {
    const { entries } = await fetchJournal(sourceOf(only), run);
    expect(entries.map(({ turn }) => [turn.instruction, turn.lane])).toEqual([
      [0, undefined],
      [1, 2],
      [1, undefined],
    ]);
  });

  it.each([
    ["answers with the run's own turn", ({ lane: _, ...at }: TurnAddress) => only(at)],
    [
      "refuses to look for lanes",
      (at: TurnAddress) => {
        if (at.lane !== undefined) throw new UserError("lane is not known.", { exitCode: 2 });
        return only(at);
      },
    ],
  ])("says that a server is of an earlier version which %s", async (_, turn) => {
    await expect(fetchJournal(sourceOf(turn), run)).rejects.toThrow(
      "its server is of a version that does not show them",
    );
  });
});
