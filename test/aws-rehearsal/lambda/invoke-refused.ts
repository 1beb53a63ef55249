/** What Lambda answers a caller whom it does not let invoke: nothing ran. */

export class InvokeRefused extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
