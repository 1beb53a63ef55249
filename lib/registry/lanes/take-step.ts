/** What a lane does with instructions ahead of the run: takes one, and gives it back when it is done with it. */
import type { Attributes, Condition, Write } from "../../core/ports.ts";
import { type LaneStep, takenBy } from "../../core/program/ahead.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { firstAttemptOf } from "../../core/turn/turn-address.ts";
import { fenced, fenceOf, notCancelled } from "../fence.ts";
import { instructionKey, metaKey } from "../keys.ts";
import { accountsAsRead, chargeLostReservation, lostReservationEvents } from "../lost-reservation.ts";
import { iso, type WriteContext, writeRun } from "../write-run.ts";
import { laneItem, laneOf, readLane } from "./lane-record.ts";

/** Answers the lane with the instruction. Undefined: the run has moved, or another lane was faster. */
export async function takeStep(
  { table, now }: WriteContext,
  run: Run,
  { lane, instruction }: { lane: number; instruction: Instruction },
): Promise<Run | undefined> {
  const before = await readLane(table, run, lane);
  const { number } = instruction;
  const put = laneItem(run, {
    lane,
    pc: number,
    turn: 0,
    forgivenTurn: 0,
    failures: 0,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    ...{
      attempt: (before?.attempt ?? firstAttemptOf(lane)) + 1,
      status: "running",
      updatedAt: iso(now),
      markedAt: now,
    },
  });
  const unmoved: Condition[] = before
    ? [
        { attribute: "attempt", is: before.attempt },
        { attribute: "pc", is: 0 },
      ]
    : [{ item: "absent" }];
  const writes: Write[] = [
    { put, when: unmoved },
    {
      update: instructionKey(run.id, number),
      set: { ahead: takenBy(lane, run.packed) },
      when: [
        { attribute: "ahead", missing: true },
        { attribute: "status", is: "waiting" },
      ],
    },
    // The run itself must not have come to it meanwhile.
    {
      check: metaKey(run.id),
      when: [
        { attribute: "epoch", is: run.epoch },
        { attribute: "pc", is: run.pc },
        { attribute: "packed", is: run.packed },
        { attribute: "status", is: run.status },
        // Closed lanes take nothing more.
        run.lanesClosedIn === undefined
          ? { attribute: "lanesClosedIn", missing: true }
          : { attribute: "lanesClosedIn", is: run.lanesClosedIn },
        { attribute: "endedAt", missing: true },
        notCancelled,
      ],
    },
  ];
  const written = await table.transact(writes);
  // As it was written, not as it is now: another attempt may have claimed it since.
  return written.ok ? laneOf(put, run) : undefined;
}

/** Its call in flight counts as spent, and what it answers is fenced: in a later epoch the lane goes on, with as many tries. */
export async function settleLane(context: WriteContext, run: Run, lane: Run): Promise<boolean> {
  const written = await writeRun(context, {
    run: { ...lane, epoch: run.epoch },
    set: { ...chargeLostReservation(lane), attempt: lane.attempt + 1, renewals: 0 },
    when: [...fenced(fenceOf(lane)), ...callAsRead(lane), eventsOf(run)],
    events: run.endedAt === undefined ? lostReservationEvents(lane) : [],
  });
  return written.ok;
}

const callAsRead = (lane: Run): Condition[] => accountsAsRead(lane, { reservedTokens: 0 });
const eventsOf = ({ events }: Run): Condition => ({ attribute: "events", is: events });

/** The lane no longer answers: the run goes on without it. Answers whether it was still as it had been read. */
export async function dropLane(context: WriteContext, run: Run, lane: Run): Promise<boolean> {
  const ahead: LaneStep = { lane: lane.lane ?? 0, base: lane.packed, state: "dropped", why: "its lane did not answer" };
  const written = await writeRun(context, {
    run: { ...lane, epoch: run.epoch },
    set: { ...chargeLostReservation(lane), attempt: lane.attempt + 1, pc: 0 },
    when: [...fenced(fenceOf(lane)), ...callAsRead(lane), eventsOf(run)],
    items: [{ update: instructionKey(run.id, lane.pc), set: { ahead } as unknown as Attributes }],
    events: lostReservationEvents(lane),
  });
  return written.ok;
}
