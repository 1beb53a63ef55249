/** The outcome of a step in a state: a value, or a failure under the name that Retry and Catch match. */

export interface Failure {
  error: string;
  /** The service gives none with a time-out. */
  cause?: string;
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export const failed = (error: string, cause?: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: cause === undefined ? { error } : { error, cause },
});

/** No Retry and no Catch sees these: the execution ends. */
export const isTerminal = (failure: Failure): boolean =>
  failure.error === "States.Runtime" || failure.error === "States.DataLimitExceeded";
