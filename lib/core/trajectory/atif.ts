/**
 * The trajectories of a run in the Agent Trajectory Interchange Format: the run dispatches its instructions, each of which
 * is a trajectory of its own. Pure.
 */
import type { ChatMessage } from "../ports.ts";
import { argumentsOf, NOTE, type Trajectory, type TrajectoryRun, type TrajectoryTurn } from "./trajectory.ts";

const SCHEMA_VERSION = "ATIF-v1.7";

interface AtifResult {
  source_call_id?: string;
  content?: string;
  subagent_trajectory_ref?: { trajectory_id: string }[];
}

interface AtifStep {
  step_id: number;
  timestamp?: string;
  source: "system" | "user" | "agent";
  model_name?: string;
  message: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[];
  observation?: { results: AtifResult[] };
  metrics?: { prompt_tokens: number; completion_tokens: number; cached_tokens: number; cost_usd: number };
  llm_call_count?: number;
  extra?: Record<string, unknown>;
}

type NewStep = Omit<AtifStep, "step_id">;

export interface AtifTrajectory {
  schema_version: typeof SCHEMA_VERSION;
  session_id: string;
  trajectory_id: string;
  agent: { name: string; version: string; model_name: string; tool_definitions?: object[] };
  steps: AtifStep[];
  notes?: string;
  final_metrics?: Record<string, number>;
  extra?: Record<string, unknown>;
  subagent_trajectories?: AtifTrajectory[];
}

export function atifOf(trajectories: Trajectory[], run: TrajectoryRun): AtifTrajectory {
  const dispatched = trajectories.map(
    (each): NewStep => ({
      source: "agent",
      message: each.instruction === 0 ? "Plan the program." : `Instruction ${each.instruction}: ${each.title}`,
      observation: {
        results: [{ content: each.summary, subagent_trajectory_ref: [{ trajectory_id: idOf(each, run) }] }],
      },
      llm_call_count: 0,
    }),
  );
  const begun: NewStep = { source: "system", message: `Run ${run.name}: each instruction gets a fresh context.` };
  return {
    ...headOf(run, run.id),
    steps: numbered([begun, ...dispatched]),
    notes: NOTE,
    final_metrics: {
      total_prompt_tokens: run.inputTokens,
      total_completion_tokens: run.outputTokens,
      total_cached_tokens: run.cachedTokens,
      total_cost_usd: run.usd,
    },
    extra: { status: run.status },
    subagent_trajectories: trajectories.map((each) => instructionOf(each, run)),
  };
}

const idOf = ({ instruction }: Trajectory, { id }: TrajectoryRun): string => `${id}.${instruction}`;

const headOf = ({ id, version, model }: TrajectoryRun, trajectoryId: string) =>
  ({
    schema_version: SCHEMA_VERSION,
    session_id: id,
    trajectory_id: trajectoryId,
    agent: { name: "l2mac", version, model_name: model },
  }) as const;

function instructionOf(trajectory: Trajectory, run: TrajectoryRun): AtifTrajectory {
  const { instruction, title, messages, tools, turns, requirements, isExact } = trajectory;
  const head = headOf(run, idOf(trajectory, run));
  const tool_definitions = tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  return {
    ...head,
    agent: { ...head.agent, tool_definitions },
    steps: numbered(stepsOf(messages, turns)),
    extra: { instruction, title, outcome: "accepted", requirements, exact: isExact },
  };
}

const numbered = (steps: NewStep[]): AtifStep[] => steps.map((step, at) => ({ step_id: at + 1, ...step }));

/** What a call showed belongs to the step that called. */
function stepsOf(messages: ChatMessage[], turns: TrajectoryTurn[]): NewStep[] {
  const steps: NewStep[] = [];
  let answers = 0;
  for (const message of messages) {
    const last = steps.at(-1);
    if (message.role === "tool") {
      if (last) addResult(last, message);
    } else if (message.role === "assistant") {
      steps.push({ source: "agent", ...measured(turns[answers]), ...spoken(message), llm_call_count: 1 });
      answers += 1;
    } else steps.push({ source: message.role, message: message.content });
  }
  return steps;
}

function spoken({ content, toolCalls = [] }: Extract<ChatMessage, { role: "assistant" }>) {
  if (toolCalls.length === 0) return { message: content };
  const tool_calls = toolCalls.map(({ id, name, arguments: given }) => ({
    tool_call_id: id,
    function_name: name,
    arguments: argumentsOf(given),
  }));
  return { message: content, tool_calls };
}

function measured(turn: TrajectoryTurn | undefined): Partial<NewStep> {
  if (!turn) return {};
  const { at, model, inputTokens, outputTokens, cachedTokens, microUsd } = turn;
  return {
    timestamp: at,
    model_name: model,
    metrics: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      cached_tokens: cachedTokens,
      cost_usd: microUsd / 1e6,
    },
  };
}

function addResult(step: NewStep, { toolCallId, content }: Extract<ChatMessage, { role: "tool" }>): void {
  const isKnown = step.tool_calls?.some(({ tool_call_id }) => tool_call_id === toolCallId) ?? false;
  const result: AtifResult = isKnown ? { source_call_id: toolCallId, content } : { content };
  step.observation = { results: [...(step.observation?.results ?? []), result] };
}
