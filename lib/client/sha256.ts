/** SHA-256 with and without a key, in the form in which the signing library constructs it. */
import { createHash, createHmac } from "node:crypto";
import type { SignatureV4 } from "@smithy/signature-v4";

type Constructor = ConstructorParameters<typeof SignatureV4>[0]["sha256"];
type Data = string | ArrayBuffer | ArrayBufferView;

function construct(secret?: Data) {
  const hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  return {
    update: (data: Data) => void hash.update(bytesOf(data)),
    digest: async () => new Uint8Array(hash.digest()),
  };
}

const bytesOf = (data: Data): Uint8Array => {
  if (typeof data === "string") return new TextEncoder().encode(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** What is called with `new` and answers an object is a constructor of it. */
export const Sha256 = construct as unknown as Constructor;
