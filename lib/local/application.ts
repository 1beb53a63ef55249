/** The HTTP application of this computer: the API over its registry and files, with links to them. Knows no sockets. */
import { randomBytes } from "node:crypto";
import { createApi } from "../api/api.ts";
import type { ApiAnswer, ApiRequest } from "../api/exchange.ts";
import type { ApiContext, ApiParts } from "../api/parts.ts";
import { problemAnswer, problemResponse, Refused } from "../api/problem.ts";
import type { World } from "../control/world.ts";
import { builtInPacks } from "../files/prompt-folder.ts";
import { LOCAL_OWNER } from "./machine.ts";
import { createLoopbackLinks, LINKS_PATH } from "./server/loopback-links.ts";
import { createLoopbackUploads, UPLOADS_PATH } from "./server/loopback-uploads.ts";

export interface ApplicationParts
  extends Pick<
    ApiParts,
    "runs" | "models" | "settings" | "uploadedTrees" | "answerUnderway" | "programs" | "onFailure"
  > {
  world: Pick<World, "registry" | "files" | "clock" | "random" | "dailyUsd" | "signer">;
}

export interface Application {
  answer(request: ApiRequest, context: Omit<ApiContext, "caller">): Promise<ApiAnswer>;
  isUpload(request: Request): boolean;
  /** A link to a file is all the authority that it takes, too. */
  isLink(request: Request): boolean;
  /** The link is all the authority that it takes. */
  storeUpload(request: Request, requestId: string): Promise<Response>;
}

export function createApplication({ world, ...parts }: ApplicationParts): Application {
  const { registry, files, clock, random, dailyUsd, signer } = world;
  const links = createLoopbackLinks({ files, clock, secret: randomBytes(32) });
  const uploads = createLoopbackUploads({ files, clock });
  const packs: ApiParts["packs"] = async (domain) => (await builtInPacks())[domain];
  const api = createApi({ ...parts, registry, files, clock, random, dailyUsd, signer, packs, links, uploads });
  return {
    async answer(request, context) {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(LINKS_PATH)) return api.answer(request, { ...context, caller: LOCAL_OWNER });
      return (await links.open(url)) ?? problemAnswer(new Refused(404, EXPIRED), context.requestId);
    },
    isLink: ({ method, url }) => method === "GET" && new URL(url).pathname.startsWith(LINKS_PATH),
    isUpload: ({ method, url }) => method === "PUT" && new URL(url).pathname.startsWith(UPLOADS_PATH),
    async storeUpload(request, requestId) {
      const taken = await uploads.take(request);
      if ("stored" in taken) return new Response(null, { status: 200 });
      return problemResponse(new Refused(taken.status, taken.detail), requestId);
    },
  };
}

const EXPIRED = "This link has expired, or never was one. Ask for a new one.";
