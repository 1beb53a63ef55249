/** Reads how the instructions of a run were executed: the last conversation of each, built again from the journal. */
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import type { EvidenceTable } from "../../core/evidence/table.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { maskEveryText } from "../../core/text/secrets.ts";
import {
  messagesWith,
  type ProvenRequirement,
  type Trajectory,
  type TrajectoryTurn,
} from "../../core/trajectory/trajectory.ts";
import { isOfRun, joinsAmong } from "../../core/turn/lane-turns.ts";
import type { TurnRecord } from "../../core/turn/turn.ts";
import { turnAddress } from "../../core/turn/turn-address.ts";
import type { Connection } from "../runs/connection.ts";

export interface TrajectoriesFound {
  trajectories: Trajectory[];
  /** Instructions of whose conversation nothing can be built, with the reason. */
  leftOut: { instruction: number; why: string }[];
}

export async function readTrajectories(connection: Connection, run: Run): Promise<TrajectoriesFound> {
  // What a lane did is a part of the run once it has joined.
  const turns = (await connection.turns(run.id)).filter((turn) => isOfRun(turn) || turn.ahead === "joined");
  const planned = run.instructions > 0 ? turns.findLast(isOfPlanning) : undefined;
  const accepted = turns.filter((turn) => turn.outcome === "accepted" || turn === planned);
  const isJoin = joinsAmong(turns);
  const copied = accepted.filter((turn) => turn.copied && !isJoin(turn));
  const own = accepted.filter((turn) => !turn.copied);
  const [requests, program, table] = await Promise.all([
    connection.requests(run, own),
    connection.program(run.id),
    asksForEvidence(run) ? connection.evidence(run.id) : undefined,
  ]);
  const found: TrajectoriesFound = {
    trajectories: [],
    leftOut: copied.map(({ instruction, copied: from }) => ({
      instruction,
      why:
        from?.run !== run.id
          ? "it was taken over from another run"
          : from.instruction === instruction
            ? "a lane executed it"
            : `it was copied from instruction ${from.instruction}`,
    })),
  };
  for (const record of own) {
    const { instruction } = record;
    const sent = requests.get(turnAddress(record));
    const entry = await connection.turn(run.id, record);
    if (!sent || !entry?.answer) {
      found.leftOut.push({ instruction, why: "a replay of the run does not reach it" });
      continue;
    }
    const { results = [] } = entry.effects ?? {};
    const stored = program.instructions.find(({ number }) => number === instruction);
    const messages = messagesWith(sent.request.messages, { answer: entry.answer.answer, results });
    const trajectory: Trajectory = {
      instruction,
      title: stored?.title ?? "Planning",
      summary: stored?.summary ?? "",
      messages,
      tools: sent.request.tools,
      turns: turnsOf(turns, { accepted: record, messages, run }),
      requirements: requirementsOf(stored, table),
      isExact: sent.isExact,
    };
    found.trajectories.push(maskEveryText(trajectory));
  }
  return found;
}

/** A program that was planned is accepted with the last turn of its planning. */
const isOfPlanning = ({ instruction, outcome }: TurnRecord): boolean => instruction === 0 && outcome === "tools";

interface Conversation {
  accepted: TurnRecord;
  messages: Trajectory["messages"];
  run: Run;
}

/** None where the answers among the messages are not those of the turns: some had none, or were dropped. */
function turnsOf(turns: TurnRecord[], { accepted, messages, run }: Conversation): TrajectoryTurn[] {
  const own = turns.filter(
    ({ instruction, segment, turn, lane, outputTokens }) =>
      instruction === accepted.instruction &&
      lane === accepted.lane &&
      segment === accepted.segment &&
      turn <= accepted.turn &&
      (outputTokens > 0 || turn === accepted.turn),
  );
  if (own.length !== messages.filter(({ role }) => role === "assistant").length) return [];
  return own.map(({ at, inputTokens, cachedTokens, outputTokens, microUsd, model = 0 }) => ({
    at,
    inputTokens,
    cachedTokens,
    outputTokens,
    microUsd,
    model: run.models?.[model]?.model ?? run.profile.model,
  }));
}

function requirementsOf(stored: Instruction | undefined, table: EvidenceTable | undefined): ProvenRequirement[] {
  return (stored?.requirements ?? []).flatMap((id) => {
    const row = table?.requirements.find((each) => each.id === id);
    if (!row) return [];
    return [{ requirement: id, state: row.state, ...(row.grade === undefined ? {} : { grade: row.grade }) }];
  });
}
