/** Matches a request to a method: the most specific path, and its own method before ANY. Pure. */
import type { Route } from "./gateway-declaration.ts";

export interface Match {
  route: Route;
  /** As they stood in the path: API Gateway does not decode them. */
  parameters: Record<string, string> | null;
}

/** `path`: without the stage, as it was sent. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match | undefined {
  const given = path.split("/").filter((segment) => segment !== "");
  const fitting = [...new Set(routes.map(({ resourcePath }) => resourcePath))]
    .map((resourcePath) => ({ resourcePath, fit: fitOf(resourcePath, given) }))
    .filter(({ fit }) => fit !== undefined)
    .toSorted((one, other) => rank(other.resourcePath) - rank(one.resourcePath));
  const [best] = fitting;
  if (!best?.fit) return undefined;
  const methods = routes.filter(({ resourcePath }) => resourcePath === best.resourcePath);
  const route = methods.find((each) => each.method === method) ?? methods.find((each) => each.method === "ANY");
  if (!route) return undefined;
  return { route, parameters: Object.keys(best.fit).length > 0 ? best.fit : null };
}

function fitOf(resourcePath: string, given: string[]): Record<string, string> | undefined {
  const wanted = resourcePath.split("/").filter((segment) => segment !== "");
  const parameters: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const [, name, greedy] = /^\{([^}+]+)(\+?)\}$/.exec(segment) ?? [];
    const here = given[at];
    if (here === undefined) return undefined;
    if (name === undefined) {
      if (segment !== here) return undefined;
    } else if (greedy) return { ...parameters, [name]: given.slice(at).join("/") };
    else parameters[name] = here;
  }
  return wanted.length === given.length ? parameters : undefined;
}

/** Words before parameters, those before what takes the rest. */
const rank = (resourcePath: string): number =>
  resourcePath
    .split("/")
    .filter((segment) => segment !== "")
    .reduce((sum, segment, at) => sum + (segment.endsWith("+}") ? 1 : segment.startsWith("{") ? 2 : 3) / 10 ** at, 0);
