/** The zip of what a run delivers, and what lies beside it. */
import * as z from "zod";
import type { Run } from "../core/run/run.ts";
import { canonicalJson } from "../core/text/canonical-json.ts";
import { OutputLink, SigningKeyAnswer } from "./answers.ts";
import { type ApiCall, type AskParts, readAnswer } from "./ask.ts";
import { fetchZip } from "./output.ts";
import { retried } from "./retried.ts";
import type { Answer } from "./send.ts";

/** As they are written to files. */
export interface DeliveryManifest {
  manifest: string;
  bom: string;
}

export interface DeliveredZip extends Partial<DeliveryManifest> {
  zip: Uint8Array;
}

export interface DeliveryReading {
  /** The public key of the server's signatures, as PEM. Undefined: it signs nothing. */
  signingKey(): Promise<string | undefined>;
  /** What the run delivers as a zip, with what lies beside it. Undefined: it has no files. */
  delivery(run: Run): Promise<DeliveredZip | undefined>;
  /** What lies beside its files. Undefined: it has no manifest. */
  manifest(run: Run): Promise<DeliveryManifest | undefined>;
}

export function createDeliveryReading(parts: AskParts, get: (asking: ApiCall) => Promise<Answer>): DeliveryReading {
  const beside = async (id: string, name: "manifest" | "bom"): Promise<string | undefined> => {
    const answer = await get({ path: `/runs/${id}/${name}` });
    // A server of an earlier version has no such route.
    if (answer.status === 409 || answer.status === 404) return undefined;
    return `${canonicalJson(readAnswer(parts.address, answer, Json))}\n`;
  };
  const manifest: DeliveryReading["manifest"] = async ({ id }) => {
    const found = await beside(id, "manifest");
    const bom = found === undefined ? undefined : await beside(id, "bom");
    return found === undefined || bom === undefined ? undefined : { manifest: found, bom };
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
      return { zip: await retried(parts, () => fetchZip(parts, link)), ...(await manifest(run)) };
    },
  };
}

/** Written as it came: what it says is read where it is verified. */
const Json = z.record(z.string(), z.unknown());
