/** ECDSA on P-256 over a digest that somebody else made, which Node's own `sign` does not offer. Answers DER, as AWS KMS. */
import { createECDH, type KeyObject } from "node:crypto";

const CURVE = "prime256v1";
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const DIGEST_BYTES = 32;

export function signDigest(digest: Uint8Array, privateKey: KeyObject): Buffer {
  if (digest.length !== DIGEST_BYTES) throw new Error(`A digest has ${DIGEST_BYTES} bytes, and not ${digest.length}.`);
  const { d = "" } = privateKey.export({ format: "jwk" });
  const secret = numberOf(Buffer.from(d, "base64url"));
  const once = createECDH(CURVE);
  // The point without its first byte: its two halves are the coordinates.
  const x = numberOf(once.generateKeys().subarray(1, 1 + DIGEST_BYTES));
  const r = x % ORDER;
  const s = (inverse(numberOf(once.getPrivateKey())) * (numberOf(digest) + r * secret)) % ORDER;
  return r === 0n || s === 0n ? signDigest(digest, privateKey) : der(r, s);
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

/** The order is a prime: by Fermat's little theorem. */
function inverse(value: bigint): bigint {
  let [result, base] = [1n, value % ORDER];
  for (let exponent = ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % ORDER;
    base = (base * base) % ORDER;
  }
  return result;
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;

function der(...numbers: bigint[]): Buffer {
  const parts = numbers.map((value) => {
    const hex = value.toString(16);
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
    // A first bit that is set would make it negative.
    const whole = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(INTEGER, whole.length), whole]);
  });
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(SEQUENCE, body.length), body]);
}
