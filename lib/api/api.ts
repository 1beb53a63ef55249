/** The API: one HTTP application over the registry and the file store, independent of Node and AWS. */
import { METHOD_NAME_ALL } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { getPath, tryDecodeURIComponent } from "hono/utils/url";
import type { ApiAnswer, ApiRequest } from "./exchange.ts";
import type { ApiContext, ApiParts } from "./parts.ts";
import { problemAnswer, Refused } from "./problem.ts";
import { type ApiInput, readRequest } from "./read-request.ts";
import { answerOf } from "./respond.ts";
import type { RouteAddress } from "./route.ts";
import { loadRoutes, routes } from "./routes.ts";

export interface Api {
  answer(request: ApiRequest, context: ApiContext): Promise<ApiAnswer>;
}

type Handle = (incoming: ApiInput) => Promise<ApiAnswer>;

export function createApi(parts: ApiParts): Api {
  const router = createRouter();
  async function answered(method: string, request: ApiRequest, context: ApiContext): Promise<ApiAnswer> {
    const [[found]] = router.match(method, getPath(request as Request));
    if (!found) throw nothingHere();
    const [handle, named] = found;
    const params = Object.entries(named).map(([name, text]) => [name, tryDecodeURIComponent(String(text))]);
    return handle({ parts, context, request, params: Object.fromEntries(params) });
  }
  return {
    async answer(request, context) {
      // HEAD is answered like GET, without the body.
      const isHead = request.method === "HEAD";
      const answer = await answered(isHead ? "GET" : request.method, request, context).catch((error) =>
        failed(parts, error, context),
      );
      return isHead ? { ...answer, body: null } : answer;
    },
  };
}

function createRouter(): TrieRouter<Handle> {
  const router = new TrieRouter<Handle>();
  let document: string | undefined;
  router.add("GET", "/openapi.json", async ({ context }) => {
    document ??= await describeRoutes();
    return { status: 200, headers: jsonHeaders(context.requestId), body: document };
  });
  for (const route of routes) router.add(route.method, routedPath(route.path), (incoming) => handled(route, incoming));
  for (const [path, allowed] of methodsByPath()) {
    router.add(METHOD_NAME_ALL, routedPath(path), async () => {
      throw new Refused(405, `Only ${allowed} is answered here.`, { headers: { allow: allowed } });
    });
  }
  return router;
}

async function describeRoutes(): Promise<string> {
  const { openApiDocument } = await import("./openapi.ts");
  return JSON.stringify(openApiDocument(await loadRoutes()));
}

async function handled({ load }: RouteAddress, incoming: ApiInput): Promise<ApiAnswer> {
  const route = await load();
  const call = await readRequest(route, incoming);
  return answerOf(await route.handle(call), call);
}

function failed({ onFailure }: ApiParts, error: unknown, { requestId, onProblem }: ApiContext): ApiAnswer {
  onProblem?.(error);
  if (!(error instanceof Refused)) onFailure(error, requestId);
  return problemAnswer(error, requestId);
}

const nothingHere = (): Refused =>
  new Refused(404, "The API has nothing at this path; /openapi.json lists what it has.", { title: "no such path" });

const jsonHeaders = (requestId: string) => ({ "content-type": "application/json", "x-request-id": requestId });

const routedPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

function methodsByPath(): Map<string, string> {
  const methods = Map.groupBy(routes, ({ path }) => path);
  const allowed = [...methods].map(([path, found]): [string, string] => [
    path,
    found.map(({ method }) => method).join(", "),
  ]);
  return new Map([...allowed, ["/openapi.json", "GET"]]);
}
