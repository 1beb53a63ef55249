/** AWS clients whose answers are a script: for what no emulator shows. The only file that knows aws-sdk-client-mock. */
import { mockClient } from "aws-sdk-client-mock";

export interface Sent {
  /** Such as "GetItemCommand". */
  command: string;
  input: Record<string, unknown>;
  options: Record<string, unknown>;
}

/** In order; an Error is thrown, anything else is the answer. The last one answers all that follow. */
export type Script = unknown[];

/** Nothing that the client sends leaves this process. Answers what was sent so far. */
export function scriptClient(client: object, script: Script): Sent[] {
  const sent: Sent[] = [];
  // The library's types lag behind those of the clients.
  const { send } = mockClient(client as Parameters<typeof mockClient>[0]);
  send.callsFake(async (command: { constructor: { name: string }; input: object }, options: object = {}) => {
    sent.push({ command: command.constructor.name, input: { ...command.input }, options: { ...options } });
    const answer = script[Math.min(sent.length, script.length) - 1];
    if (answer instanceof Error) throw answer;
    return (answer ?? {}) as never;
  });
  return sent;
}

/** Nothing that the client sends leaves this process: `answer` makes each answer from the command's input. */
export function answerClient(client: object, answer: (input: Record<string, unknown>) => Promise<object>): void {
  const { send } = mockClient(client as Parameters<typeof mockClient>[0]);
  send.callsFake(async (command: { input: object }) => (await answer({ ...command.input })) as never);
}

/** An error as the SDK makes it of a server's answer. */
export const awsError = (name: string, fields: { status?: number; message?: string; code?: string } = {}): Error =>
  Object.assign(new Error(fields.message ?? name), {
    name,
    ...(fields.code === undefined ? {} : { code: fields.code }),
    ...(fields.status === undefined ? {} : { $metadata: { httpStatusCode: fields.status } }),
  });
