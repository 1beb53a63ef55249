/** An arm: a way to make what a model is sent from all that happened. All arms get the same events and the same window. */
import { growing } from "./growing.ts";
import { l2mac } from "./l2mac.ts";
import { summarising } from "./summarising.ts";

/** In order: a message that came, or a request that was made then. */
export type ArmEvent = { kind: "message"; text: string } | ArmRequest;

export interface ArmRequest {
  kind: "request";
  /** What it works on. */
  instruction: number;
  /** What the machine sent. Absent: no machine was there. */
  sent?: string;
}

export interface SentContext {
  instruction: number;
  text: string;
}

/** Answers a text that replaces the conversation. */
export type Summarise = (conversation: string) => Promise<string>;

export interface ArmParts {
  events: Iterable<ArmEvent>;
  summarise: Summarise;
}

export type Arm = (parts: ArmParts) => AsyncIterable<SentContext>;

export const ARMS = { l2mac, growing, summarising } as const satisfies Record<string, Arm>;
export type ArmName = keyof typeof ARMS;
export const ARM_NAMES = Object.keys(ARMS) as ArmName[];
