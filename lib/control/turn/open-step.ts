/** An open step: its run and journal so far, and everything that its turns need. */
import type { Model } from "../../core/ports.ts";
import type { Draft } from "../../core/program/program.ts";
import type { StoredTask } from "../../core/run/task.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import type { Tool } from "../../core/turn/workbench.ts";
import type { StoredBaseline } from "../../core/verdict/known-red.ts";
import type { Invocation, World } from "../world.ts";
import type { PromptContext } from "./first-message.ts";
import type { StepState } from "./step-state.ts";

export interface OpenStep {
  world: World;
  invocation: Invocation;
  document: StoredTask;
  state: StepState;
  /** Where something of what the run started from is still red. */
  baseline?: StoredBaseline;
  tools: Tool[];
  model: Model;
  /** What its prompts say, beside the listing and the note with which each conversation begins. */
  context: Omit<PromptContext, "opening">;
  /** While planning: which languages of the task cannot be checked. Empty: none. */
  unchecked?: string;
  /** While planning: what each conversation shows of the files that exist. Absent: the recent ones first. */
  listing?: (files: FileEntry[]) => Promise<string>;
  /** Where a program may be written: whether this one can be taken. */
  acceptProgram?: (draft: Draft) => { draft: Draft } | { problem: string };
  /** The checks are written, and nothing else may be. */
  examines?: true;
  /** Absent: as many turns as an instruction has. */
  turnCap?: number;
  /** Why its conversation begins, where the turns do not show it. */
  restartedBecause?: string;
  /** While a program is revised. */
  revision?: PromptContext["opening"]["revision"];
  /** While planning: what the model is asked after it wrote a program. Empty: nothing more. */
  reflection?: (draft: Draft) => string;
}
