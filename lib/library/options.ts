/** What a caller of the library can set: the options of a run, and what only a program can give. */
import type { Draft } from "../core/program/program.ts";
import type { Event } from "../core/run/event.ts";
import type { GivenOptions } from "../core/run/option-forms.ts";
import type { Domain, OnStuck } from "../core/run/options.ts";
import type { ModelTable } from "../model/model-table.ts";

export interface PlaceOptions {
  /** Where runs are kept; default: L2MAC_HOME, else `.l2mac`. */
  home?: string | undefined;
  /** Instead of the environment of the process. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** In what form files are answered; default: as text. */
export interface ContentOptions {
  bytes?: boolean | undefined;
}

/** What computing a run takes. */
export interface ComputeOptions
  extends PlaceOptions,
    Pick<GivenOptions, "baseUrl" | "apiVersion" | "dailyUsd" | "unsealed"> {
  apiKey?: string | undefined;
  /** What is known of models, by name: rows as they stand in a configuration file. */
  models?: ModelTable | undefined;
  onEvent?: ((event: Event) => void) | undefined;
  /** Stops the run, which is kept and can be resumed. */
  signal?: AbortSignal | undefined;
}

export interface GenerateOptions
  extends ComputeOptions,
    Omit<GivenOptions, "domain" | "tools" | "tests" | "apiUrl" | keyof ComputeOptions> {
  tools?: string[] | undefined;
  /** Executed as it is: a program, or the path of a .md, .yaml or .json file. */
  program?: Draft | string | undefined;
  /** Files to start from: the path of a folder or zip, the address of a Git repository (`https://host/owner/repo#branch`), or contents by path. */
  from?: string | Record<string, string | Uint8Array> | undefined;
  /**
   * Whether to run the tests of the generated files (default true). Or tests that the result must pass and that the
   * model cannot change: the path of a folder or zip, or contents by path.
   */
  tests?: boolean | string | Record<string, string | Uint8Array> | undefined;
  /** Push each accepted step as a commit to a new branch of the repository of `from`. */
  push?: boolean | undefined;
  name?: string | undefined;
  /** Plays a recorded scene: no key, no model, no cost. */
  rehearse?: boolean | undefined;
  /** @deprecated The former name of `onStuck`. */
  onTrap?: OnStuck | undefined;
}

export interface DomainOptions extends GenerateOptions, ContentOptions {
  domain: Domain;
}
