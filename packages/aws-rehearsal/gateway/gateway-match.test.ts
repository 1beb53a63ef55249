import { describe, expect, it } from "vitest";
import type { Route } from "./gateway-declaration.ts";
import { matchRoute } from "./gateway-match.ts";

const route = (method: string, resourcePath: string): Route => ({
  ...{ method, resourcePath, authorization: "AWS_IAM", functionArn: "arn:it", timeoutMs: 1 },
});
const routes = [
  ...[route("ANY", "/"), route("ANY", "/{proxy+}"), route("GET", "/runs/{id}"), route("POST", "/runs/latest")],
  route("ANY", "/runs/{id}/files/{path+}"),
];

describe("which method a request is for", () => {
  it.each([
    ["GET", "/", "ANY /", null],
    ["GET", "/other", "ANY /{proxy+}", { proxy: "other" }],
    ["GET", "/a/b/c", "ANY /{proxy+}", { proxy: "a/b/c" }],
    ["GET", "/runs/01", "GET /runs/{id}", { id: "01" }],
    ["GET", "/runs/01/", "GET /runs/{id}", { id: "01" }],
    ["POST", "/runs/latest", "POST /runs/latest", null],
    ["GET", "/runs/01/files/a/b%2Fc", "ANY /runs/{id}/files/{path+}", { id: "01", path: "a/b%2Fc" }],
  ])("%s %s is for %s", (method, path, expected, parameters) => {
    const match = matchRoute(routes, method, path);
    expect(`${match?.route.method} ${match?.route.resourcePath}`).toBe(expected);
    expect(match?.parameters).toEqual(parameters);
  });

  it("none where the most exact path has none such, though a wider one would", () => {
    expect(matchRoute(routes, "GET", "/runs/latest")).toBeUndefined();
    expect(matchRoute(routes, "DELETE", "/runs/01")).toBeUndefined();
  });
});
