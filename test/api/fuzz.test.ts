/** Requests made of the OpenAPI document, and of nothing in particular: whatever comes, the answer is a documented one. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { thorough } from "../doubles/thorough.ts";
import { anyRequest } from "./requests.ts";
import { aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await aServer();
  id = (await server.post("/runs", { task: "a", model: "rehearsal" })).json.id;
  await followed(server, id);
});
afterAll(() => server.remove());

/** A few seconds; `API_REQUESTS=5000` for longer. */
const REQUESTS = Number(process.env.API_REQUESTS ?? thorough(150, 500));

it(`${REQUESTS} generated requests are answered as documented, and none with a failure of ours`, async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(anyRequest(server.document, id), async ({ method, path, headers, body }) => {
      // What is not documented is thrown there.
      const { status } = await server.ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
      expect(status).toBeLessThan(500);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
    { numRuns: REQUESTS },
  );
  // Or else the generator has come to nothing.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 202, 400, 404]));
});
