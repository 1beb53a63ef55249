/** The zip of what a run delivers, and its manifest. */
import * as z from "zod";
import { defined } from "../core/defined.ts";
import type { Run } from "../core/run/run.ts";
import { canonicalJson } from "../core/text/canonical-json.ts";
import { OutputLink, SigningKeyAnswer } from "./answers.ts";
import { type ApiCall, type AskParts, readAnswer } from "./ask.ts";
import { fetchZip } from "./output.ts";
import { retried } from "./retried.ts";
import type { Answer } from "./send.ts";

export interface DeliveredZip {
  zip: Uint8Array;
  /** As it is written to a file. */
  manifest?: string;
}

export interface DeliveryReading {
  /** The public key of the server's signatures, as PEM. Undefined: it signs nothing. */
  signingKey(): Promise<string | undefined>;
  /** What the run delivers as a zip, with its manifest. Undefined: it has no files. */
  delivery(run: Run): Promise<DeliveredZip | undefined>;
  /** As it is written to a file. Undefined: the run has none. */
  manifest(run: Run): Promise<string | undefined>;
}

export function createDeliveryReading(parts: AskParts, get: (asking: ApiCall) => Promise<Answer>): DeliveryReading {
  const manifest: DeliveryReading["manifest"] = async ({ id }) => {
    const answer = await get({ path: `/runs/${id}/manifest` });
    // A server of an earlier version has no such route.
    if (answer.status === 409 || answer.status === 404) return undefined;
    return `${canonicalJson(readAnswer(parts.address, answer, Json))}\n`;
  };
  return {
    manifest,
    async signingKey() {
      const answer = await get({ path: "/signing-key" });
      return answer.status === 404 ? undefined : readAnswer(parts.address, answer, SigningKeyAnswer).publicKey;
    },
    async delivery(run) {
      if (run.packed < 0) return undefined;
      const answer = await get({ path: `/runs/${run.id}/output` });
      const link = readAnswer(parts.address, answer, OutputLink);
      const zip = await retried(parts, () => fetchZip(parts, link));
      return { zip, ...defined({ manifest: await manifest(run) }) };
    },
  };
}

/** Written as it came: what it says is read where it is verified. */
const Json = z.record(z.string(), z.unknown());
