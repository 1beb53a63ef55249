/** What Step Functions answers to a request that it does not do. */

export class StatesRefused extends Error {
  /** As the wire has it; a Task state calls it `StepFunctions.<code>Exception`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
