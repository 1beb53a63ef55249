/** Rewrites the quantized weights of a GGUF file as numbers of 32 bits: what a build knows of quantized ones, not every processor has. */
import { readFileSync, writeFileSync } from "node:fs";

const ALIGNMENT = 32;
const [F32, Q4_1, Q8_0] = [0, 3, 8] as const;
/** Bytes of the values of metadata by their type; the others are texts (8) and lists (9). */
const SIZES: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

interface Tensor {
  /** Its name and shape as they are written. */
  head: Buffer;
  elements: number;
  type: number;
  offset: number;
}

export function writeFloatWeights(from: string, to: string): void {
  const file = readFileSync(from);
  let at = 8;
  const take = (bytes: number): number => {
    at += bytes;
    return at - bytes;
  };
  const uint32 = (): number => file.readUInt32LE(take(4));
  const uint64 = (): number => Number(file.readBigUInt64LE(take(8)));
  const skip = (type: number): void => {
    if (type === 8) take(uint64());
    else if (type === 9) {
      const [inner, count] = [uint32(), uint64()];
      for (let index = 0; index < count; index++) skip(inner);
    } else take(SIZES[type] ?? 0);
  };
  const [tensors, entries] = [uint64(), uint64()];
  for (let entry = 0; entry < entries; entry++) {
    take(uint64());
    skip(uint32());
  }
  const metadata = file.subarray(0, at);
  const table = Array.from({ length: tensors }, (): Tensor => {
    const start = at;
    take(uint64());
    let elements = 1;
    for (let left = uint32(); left > 0; left--) elements *= uint64();
    return { head: file.subarray(start, at), elements, type: uint32(), offset: uint64() };
  });
  const data = aligned(at);
  const values = table.map(({ type, offset, elements }) => floatsOf(file.subarray(data + offset), type, elements));
  writeFileSync(to, Buffer.concat([...headOf(metadata, table), ...values.map(padded)]));
}

function headOf(metadata: Buffer, table: Tensor[]): Buffer[] {
  let offset = 0;
  const rows = table.map(({ head, elements }) => {
    const row = Buffer.alloc(12);
    row.writeUInt32LE(F32, 0);
    row.writeBigUInt64LE(BigInt(offset), 4);
    offset += aligned(elements * 4);
    return Buffer.concat([head, row]);
  });
  return [padded(Buffer.concat([metadata, ...rows]))];
}

/** Blocks of 32: four bits each with a scale and a least value, or eight bits each with a scale. */
function floatsOf(bytes: Buffer, type: number, elements: number): Buffer {
  if (type === F32) return bytes.subarray(0, elements * 4);
  if (type !== Q4_1 && type !== Q8_0) throw new Error(`Weights of type ${type} cannot be rewritten.`);
  const floats = new Float32Array(elements);
  const size = type === Q4_1 ? 20 : 34;
  for (let block = 0; block < elements / 32; block++) {
    const at = block * size;
    const scale = half(bytes.readUInt16LE(at));
    const least = type === Q4_1 ? half(bytes.readUInt16LE(at + 2)) : 0;
    for (let index = 0; index < 32; index++) {
      const nibbles = bytes[at + 4 + (index % 16)] ?? 0;
      const value = type === Q8_0 ? bytes.readInt8(at + 2 + index) : index < 16 ? nibbles & 15 : nibbles >> 4;
      floats[block * 32 + index] = value * scale + least;
    }
  }
  return Buffer.from(floats.buffer);
}

/** A number of 16 bits. */
function half(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const value = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -value : value;
}

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
