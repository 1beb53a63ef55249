/** The API: one HTTP application over the registry and the file store, independent of Node and AWS. */
import { Hono } from "hono";
import type { ApiContext, ApiParts } from "./parts.ts";
import { problemResponse, Refused } from "./problem.ts";
import { type ApiInput, readRequest } from "./read-request.ts";
import { respond } from "./respond.ts";
import type { RouteAddress } from "./route.ts";
import { loadRoutes, routes } from "./routes.ts";

export interface Api {
  fetch(request: Request, context: ApiContext): Promise<Response>;
}

export function createApi(parts: ApiParts): Api {
  const app = new Hono<{ Bindings: ApiContext }>();
  let document: string | undefined;
  app.get("/openapi.json", async ({ env }) => {
    document ??= await describeRoutes();
    return new Response(document, { headers: jsonHeaders(env.requestId) });
  });
  for (const route of routes) {
    app.on(route.method, honoPath(route.path), ({ req, env }) =>
      answer(route, { parts, context: env, params: req.param(), request: req.raw }),
    );
  }
  for (const [path, allowed] of methodsByPath()) {
    app.all(honoPath(path), ({ env }) => {
      const refused = new Refused(405, `Only ${allowed} is answered here.`, { headers: { allow: allowed } });
      return problemResponse(refused, env.requestId);
    });
  }
  app.notFound(({ env }) => problemResponse(nothingHere(), env.requestId));
  app.onError((error, { env }) => failed(parts, error, env));
  return { fetch: async (request, context) => app.fetch(request, context) };
}

async function describeRoutes(): Promise<string> {
  const { openApiDocument } = await import("./openapi.ts");
  return JSON.stringify(openApiDocument(await loadRoutes()));
}

async function answer({ load }: RouteAddress, incoming: ApiInput): Promise<Response> {
  const { parts, context } = incoming;
  try {
    const route = await load();
    const call = await readRequest(route, incoming);
    return await respond(await route.handle(call), call);
  } catch (error) {
    return failed(parts, error, context);
  }
}

function failed({ onFailure }: ApiParts, error: unknown, { requestId, onProblem }: ApiContext): Response {
  onProblem?.(error);
  if (!(error instanceof Refused)) onFailure(error, requestId);
  return problemResponse(error, requestId);
}

const nothingHere = (): Refused =>
  new Refused(404, "The API has nothing at this path; /openapi.json lists what it has.", { title: "no such path" });

const jsonHeaders = (requestId: string) => ({ "content-type": "application/json", "x-request-id": requestId });

const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

function methodsByPath(): Map<string, string> {
  const methods = Map.groupBy(routes, ({ path }) => path);
  const allowed = [...methods].map(([path, found]): [string, string] => [
    path,
    found.map(({ method }) => method).join(", "),
  ]);
  return new Map([...allowed, ["/openapi.json", "GET"]]);
}
