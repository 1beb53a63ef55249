import { expect, it } from "vitest";
import { creditedTurns } from "./lane-turns.ts";
import type { TurnRecord } from "./turn.ts";

const aTurn = (instruction: number, over: Partial<TurnRecord> = {}): TurnRecord => ({
  ...{ instruction, turn: 1, epoch: 1, attempt: 1, segment: 0, state: "committed", at: "2026-01-01T00:00:00.000Z" },
  ...{ inputTokens: 1, cachedTokens: 0, outputTokens: 1, microUsd: 5, milliseconds: 10, changes: [], outcome: "tools" },
  ...over,
});

it("credits turns of lanes in a time that grows with their number, and not with its square", () => {
  const count = 500;
  let reads = 0;
  const counted = (turn: TurnRecord): TurnRecord =>
    Object.defineProperty({ ...turn }, "instruction", {
      enumerable: true,
      get: () => {
        reads += 1;
        return turn.instruction;
      },
    });
  const changes = [{ path: "a.txt", sha256: "b", was: null, bytes: 1 }];
  const copied = { run: "01TESTRUN", instruction: 1 };
  const turns = Array.from({ length: count }, (_, index) => [
    counted(aTurn(index + 1, { lane: 2, ahead: "joined", changes })),
    counted(aTurn(index + 1, { copied, changes })),
  ]).flat();
  expect(creditedTurns(turns).filter(({ lane }) => lane === 2)).toHaveLength(count);
  expect(reads).toBeLessThan(20 * turns.length);
});
