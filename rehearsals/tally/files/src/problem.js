/** What the user can put right: shown as one line, with the exit code that the command ends with. */
export class Problem extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command was typed wrong. */
export const usage = (message) => new Problem(message, 2);
