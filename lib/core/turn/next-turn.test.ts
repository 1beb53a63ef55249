import { describe, expect, it } from "vitest";
import { TURNS_PER_INSTRUCTION } from "../limits.ts";
import { nextTurn } from "./next-turn.ts";
import type { TurnOutcome } from "./turn.ts";

const at = { instruction: 3, forgivenTurn: 0 };
const turns = (signatures: string[], outcome: TurnOutcome = "tools") =>
  signatures.map((signature, index) => ({ turn: index + 1, segment: 0, outcome, signature }));

describe("what an instruction does next", () => {
  it("begins with a fresh conversation and goes on with the same one", () => {
    expect(nextTurn([], at)).toMatchObject({ do: "ask", turn: 1, segment: 0, fresh: "start", heated: false });
    const going = nextTurn(turns(["a", "b"]), at);
    expect(going).toMatchObject({ do: "ask", turn: 3, segment: 0 });
    expect(going).not.toHaveProperty("fresh");
  });

  it("is done once a completion was accepted", () => {
    expect(nextTurn(turns(["a"], "accepted"), at)).toEqual({ do: "accepted" });
  });

  it("answers a loop with heat, then with a fresh conversation, then counts the instruction as stuck", () => {
    const same = (count: number) => turns(Array<string>(count).fill("same"));
    expect(nextTurn(same(2), at)).toMatchObject({ heated: false, segment: 0 });
    expect(nextTurn(same(3), at)).toMatchObject({ heated: true, segment: 0 });
    expect(nextTurn(same(6), at)).toMatchObject({ heated: true, segment: 1, fresh: "going in circles" });
    expect(nextTurn(same(9), at)).toMatchObject({ do: "stuck", detail: expect.stringContaining("again and again") });
  });

  it("does not take different calls, or the same calls on other files, for a loop", () => {
    expect(nextTurn(turns(["a", "b", "c", "a", "b"]), at)).toMatchObject({ do: "ask", heated: false });
  });

  it("stops an instruction that uses up its turns", () => {
    const many = turns(Array.from({ length: TURNS_PER_INSTRUCTION }, (_, index) => String(index)));
    expect(nextTurn(many, at)).toMatchObject({ do: "stuck" });
    expect(nextTurn(many.slice(1), at)).toMatchObject({ do: "ask" });
  });

  it("halves the output limit at each time-out and stops at the third", () => {
    const late = turns(["", ""], "timed_out").map((turn) => ({ ...turn, signature: undefined }));
    expect(nextTurn(late, at)).toMatchObject({ do: "ask", halvings: 2 });
    expect(nextTurn([...late, ...late], at)).toMatchObject({
      do: "stuck",
      detail: expect.stringContaining("in time"),
    });
  });

  it("names the window as the cause when even fresh conversations are refused as too long", () => {
    const refused = turns(["x", "y", "z"], "context_exceeded").map((turn) => ({ ...turn, signature: undefined }));
    expect(nextTurn(refused, at)).toMatchObject({ do: "stuck", detail: expect.stringContaining("--context-window") });
  });

  it("shows what the server said about its window", () => {
    const serverSaid = "n_ctx is 4096";
    const refused = turns(["x", "y", "z"], "context_exceeded").map((turn) => ({
      ...turn,
      serverSaid,
      signature: undefined,
    }));
    expect(nextTurn(refused, at)).toMatchObject({ detail: expect.stringContaining("(n_ctx is 4096)") });
  });

  it("forgives what came before a resume, and then opens a fresh conversation", () => {
    const stuck = turns(Array<string>(9).fill("same"));
    expect(nextTurn(stuck, { instruction: 3, forgivenTurn: 9 })).toMatchObject({
      do: "ask",
      turn: 10,
      segment: 1,
      fresh: "the run was resumed",
      heated: false,
    });
  });
});
