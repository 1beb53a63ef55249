import { expect, it } from "vitest";
import type { ToolAnswer } from "../../core/turn/tool-note.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { turnEvent } from "./turn-events.ts";

const answer = (over: Partial<ToolAnswer>): ToolAnswer => ({
  ...{ callId: "c", tool: "write_files", ok: false, text: "", note: "refused", facts: {}, about: { kind: "other" } },
  ...over,
});

it("a call that was refused tells watchers why, in one line; the gate's reasons are in its note", () => {
  const answers = [
    answer({ text: `../out.txt leaves the project.\nAccepted: ${"x".repeat(400)}` }),
    answer({ tool: "complete_instruction", note: "not accepted: tests", text: "Long.", facts: { refusal: "tests" } }),
    answer({ ok: true, text: "Written.", note: "2 files", facts: { files: 2 } }),
  ];
  const event = turnEvent({ instruction: 1, turn: 2 } as Turn, answers, { contextTokens: 1 });
  const [refused, gate, done] = event.type === "turn" ? event.tools : [];
  expect(refused?.reason).toMatch(/^\.\.\/out\.txt leaves the project\. Accepted: x+/);
  expect(refused?.reason).toHaveLength(160);
  expect(gate).toEqual({ name: "complete_instruction", ok: false, note: "not accepted: tests" });
  expect(done).toEqual({ name: "write_files", ok: true, note: "2 files", files: 2 });
});
