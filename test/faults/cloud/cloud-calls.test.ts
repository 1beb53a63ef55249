import { describe, expect, it } from "vitest";
import { toTransactItem } from "../../../lib/aws/write-expressions.ts";
import type { Write } from "../../../lib/core/ports.ts";
import type { AwsCall } from "../../../packages/aws-rehearsal/index.ts";
import { beginsEpoch, claimsRun, commitsTurn, notesAnswer, storesAnswer, storesOutput } from "./cloud-calls.ts";

const RUN = { pk: "RUN#1", sk: "META" };
const about = (name: string, operation: string): AwsCall => ({
  ...{ who: "role", service: "s3", operation, about: name, body: "" },
});

const transaction = (...writes: Write[]): AwsCall => ({
  ...{ who: "role", service: "dynamodb", operation: "TransactWriteItems", about: "items" },
  body: JSON.stringify({ TransactItems: writes.map((write) => toTransactItem("table", write)) }),
});

const turn = (state: string): AwsCall =>
  transaction({ update: RUN, set: { turn: 1 } }, { put: { pk: "RUN#1", sk: "TURN#000001#0001", state } });

describe("a request to the played AWS", () => {
  it("is known as that which notes an answer, or commits a turn", () => {
    expect([notesAnswer(turn("answered")), notesAnswer(turn("committed"))]).toEqual([true, false]);
    expect([commitsTurn(turn("answered")), commitsTurn(turn("committed"))]).toEqual([false, true]);
    expect(commitsTurn({ ...turn("committed"), operation: "Query" })).toBe(false);
  });

  it("is known as that which begins an epoch, and not as one that is only made in it", () => {
    const begins = transaction({ update: RUN, set: { status: "queued", epoch: 2 }, remove: ["reason"] });
    const within = transaction({ update: RUN, set: { turn: 3 }, when: [{ attribute: "epoch", is: 2 }] });
    expect([beginsEpoch(2)(begins), beginsEpoch(3)(begins), beginsEpoch(2)(within)]).toEqual([true, false, false]);
  });

  it("is known as that which claims a run", () => {
    const claims = transaction({ update: RUN, set: { attempt: 2 }, when: [{ attribute: "attempt", is: 1 }] });
    expect([claimsRun(claims), claimsRun(turn("committed"))]).toEqual([true, false]);
  });

  it("is known as that which stores an answer, or the output", () => {
    expect(storesAnswer(about("runs/1/journal/000001/0001-1.answer.json", "PutObject"))).toBe(true);
    expect(storesAnswer(about("runs/1/journal/000001/0001-1.answer.json", "GetObject"))).toBe(false);
    expect(storesOutput(about("runs/1/output/parts.zip", "PutObject"))).toBe(true);
  });
});
