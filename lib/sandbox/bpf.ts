/** Programs of classic BPF, which the kernel runs on each system call. Pure. */

/** A `struct sock_filter` of the kernel: an operation, how many to skip if its test holds and if not, and its operand. */
export type Instruction = [code: number, whenTrue: number, whenFalse: number, operand: number];

const LOAD = 0x20;
const RETURN = 0x06;
export const IS_EQUAL = 0x15;
export const IS_GREATER = 0x25;
export const IS_AT_LEAST = 0x35;
export const HAS_BIT = 0x45;

export const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
export const answer = (result: number): Instruction => [RETURN, 0, 0, result];

/** `then` ends with an answer. */
export const when = (test: number, operand: number, then: Instruction[]): Instruction[] => [
  [test, 0, then.length, operand],
  ...then,
];

type Range = [from: number, to: number];

export function rangesOf(numbers: number[]): Range[] {
  const ranges: Range[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

export const inRange = ([from, to]: Range, then: Instruction): Instruction[] =>
  from === to ? when(IS_EQUAL, from, [then]) : [[IS_AT_LEAST, 0, 2, from], [IS_GREATER, 1, 0, to], then];

const INSTRUCTION_BYTES = 8;

export function assemble(program: Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [at, [code, whenTrue, whenFalse, operand]] of program.entries()) {
    const offset = at * INSTRUCTION_BYTES;
    view.setUint16(offset, code, true);
    view.setUint8(offset + 2, whenTrue);
    view.setUint8(offset + 3, whenFalse);
    view.setUint32(offset + 4, operand >>> 0, true);
  }
  return bytes;
}
