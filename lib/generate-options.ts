/** What a caller of the library may say: the same settings that the command has as flags. */

import type { Ceilings } from "./control/lifecycle/prepare.ts";
import type { Draft } from "./core/program/program.ts";
import type { Event } from "./core/run/event.ts";
import type { Approve, Domain, OnStuck } from "./core/run/run.ts";
import type { ModelWish } from "./model/open-model.ts";

export interface GenerateOptions extends ModelWish, Ceilings {
  /** The most instructions that the program may have. */
  steps?: number | undefined;
  /** How often the model looks at its program again; 1 unless said. */
  reflect?: number | undefined;
  /** Executed as it is: a program, or the path of a .md, .yaml or .json file. */
  program?: Draft | string | undefined;
  /** The folder of a prompt pack. */
  prompts?: string | undefined;
  /** The only tools that the model is offered. */
  tools?: string[] | undefined;
  /** Files to start from: the path of a folder or zip, or contents by path. */
  from?: string | Record<string, string | Uint8Array> | undefined;
  /**
   * Whether the tests of what is written are run, which they are unless this is false. Or tests that the result must
   * pass, and that nobody may change: the path of a folder or zip, or contents by path.
   */
  tests?: boolean | string | Record<string, string | Uint8Array> | undefined;
  /** Whether the packages that it asks for are installed; they are unless said. */
  install?: boolean | undefined;
  /** Whether what is written may be run where nothing seals it off: there it may do what the process may. */
  unsealed?: boolean | undefined;
  /** What becomes of an instruction that goes in circles: it stops the run unless said. */
  onTrap?: OnStuck | undefined;
  /** `plan`: the run stops before its program is executed, until somebody approves it (`l2mac approve`). */
  approve?: Approve | undefined;
  name?: string | undefined;
  seed?: number | undefined;
  /** Where runs are kept; L2MAC_HOME or `.l2mac` unless said. */
  home?: string | undefined;
  /** Plays a written scene: no key, no model, no cost. */
  rehearse?: boolean | undefined;
  onEvent?: ((event: Event) => void) | undefined;
  /** Stops the run, which is kept and can be resumed. */
  signal?: AbortSignal | undefined;
  /** Instead of the environment of the process. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface DomainOptions extends GenerateOptions {
  domain: Domain;
}
