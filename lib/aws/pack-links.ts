/** Links to the packs of a run for its evaluator, which has no rights and no names: presigned, with the store's addresses. */
import { lookup } from "node:dns/promises";
import type { PackPart } from "../core/ports.ts";
import type { LinkedBase } from "../core/verdict/evaluation-wire.ts";
import type { Presigner } from "./presign.ts";

/** Long enough for a cold start; generated code runs only after the packs were fetched. */
const LINK_SECONDS = 120;

type Resolve = (host: string) => Promise<string[]>;

const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true, family: 4 })).map(({ address }) => address);

export const createPackLinks =
  ({ read }: Pick<Presigner, "read">, resolve = resolveHost) =>
  async (packs: PackPart[]): Promise<LinkedBase> => {
    const parts = await Promise.all(
      packs.map(async ({ key }) => ({ key, url: await read(key, { seconds: LINK_SECONDS }) })),
    );
    const [first] = parts;
    return { addresses: first ? await resolve(new URL(first.url).hostname) : [], parts };
  };
