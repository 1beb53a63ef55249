import { expect, it } from "vitest";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import type { World } from "../world.ts";
import { laidAt, takingsOf } from "./recorded-takings.ts";

const merged = new TextEncoder().encode("first\nsecond\n");

function takingOf(instruction: Partial<Instruction>, turns: Partial<Turn>[], make?: Run["make"]) {
  const world = {
    registry: { instruction: async () => instruction, turns: async () => turns },
    files: { get: async (key: string) => (key === fileStoreKeys("r").blob(sha256(merged)) ? merged : undefined) },
  } as unknown as World;
  return takingsOf(world, { id: "r", make } as Run)(3);
}

const ahead = { lane: 2, base: 1, state: "dropped", why: "README.md was changed" } as const;
const tried = { body: "b", sha256: "s" };
const make = { from: "other" } as Run["make"];

it("a replay lays a merged text as it was laid", async () => {
  const changes = [{ path: "README.md", sha256: sha256(merged), was: null }] as unknown as Turn["changes"];
  const then = await takingOf({}, [{ copied: { run: "r", instruction: 3 }, changes }]);
  expect(await laidAt(then, "README.md")).toEqual(merged);
  expect(await laidAt(then, "other.md")).toBeUndefined();
});

it("a replay drops or executes what was refused before the gate was asked", async () => {
  expect(await takingOf({ ahead }, [])).toEqual({ why: "README.md was changed" });
  expect(await takingOf({}, [{}], make)).toEqual({ why: "the run executed it" });
});

it("a replay asks the recorded verdicts where the gate was asked, and decides where nothing was recorded", async () => {
  expect(await takingOf({ ahead, tried }, [])).toBeUndefined();
  expect(await takingOf({ tried }, [{}], make)).toBeUndefined();
  expect(await takingOf({}, [], make)).toBeUndefined();
});
