/** An error that an emulated service answers, with its code as on the wire. Nothing was done. */

export class ServiceError extends Error {
  /** A Task state calls it `Lambda.<code>`, or `StepFunctions.<code>Exception`. */
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
