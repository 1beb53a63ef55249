/** What a poetry.lock says that is not so. It is not followed: packages come by the manifest. Pure. */
import { parse } from "smol-toml";
import * as z from "zod";
import type { Finding } from "../../core/verdict/verdict.ts";
import { findings, hostOf } from "./lock-findings.ts";
import { withoutCredentials } from "./said-by.ts";

const Poetry = z.object({
  package: z.array(
    z
      .object({ name: z.string(), source: z.object({ type: z.string(), url: z.string().catch("") }).optional() })
      .catch({ name: "" }),
  ),
});

export function poetryLockFindings(text: string, indexes: string[]): Finding[] {
  let packages: z.infer<typeof Poetry>["package"];
  try {
    packages = Poetry.parse(parse(text)).package;
  } catch {
    return findings("poetry.lock", ["is no lock file that can be read."]);
  }
  const known = new Set(indexes.flatMap((address) => hostOf(address) ?? []));
  return findings(
    "poetry.lock",
    packages
      .filter(({ source }) => source && !(source.type === "legacy" && known.has(hostOf(source.url) ?? "")))
      .map(({ name, source }) => `takes ${name} from ${source?.type}: ${withoutCredentials(source?.url ?? "")}.`),
  );
}
