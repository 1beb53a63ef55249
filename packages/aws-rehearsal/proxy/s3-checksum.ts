/** Compares the checksum of an S3 upload, from a header or a presigned URL, with the received bytes. Pure. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { unknownOperation } from "../operations/operation.ts";
import type { WireRequest } from "../parts.ts";
import { partsOf } from "../sigv4/canonical-request.ts";
import type { Problem } from "../sigv4/signature-problem.ts";

/** A body that comes in signed pieces carries its checksum at its end: the emulator reads that one. */
export function checksumProblem({ headers, target, body }: WireRequest): Problem | undefined {
  const query = partsOf(target).query.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  for (const [header, given] of [...Object.entries(headers), ...query]) {
    const name = /^x-amz-checksum-(?!mode$|algorithm$|type$)(.+)$/.exec(header)?.[1];
    if (name === undefined) continue;
    const compute = Object.hasOwn(CHECKSUMS, name) ? CHECKSUMS[name] : undefined;
    if (!compute) return unknownOperation(`the checksum ${name}`);
    if (compute(body).toString("base64") !== given) return badDigest(name);
  }
  return undefined;
}

const CHECKSUMS: Record<string, (body: Buffer) => Buffer> = {
  crc32: (body) => {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(body));
    return checksum;
  },
  sha256: (body) => createHash("sha256").update(body).digest(),
};

const badDigest = (name: string): Problem => ({
  status: 400,
  code: "BadDigest",
  message: `The ${name.toUpperCase()} you specified did not match the calculated checksum.`,
});
