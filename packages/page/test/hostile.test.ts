/** Any page of the web can send requests to this computer: none of them makes the server act, or tell. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed } from "../../../test/api/served.ts";
import { noBrowser, openBrowser } from "./browser.ts";
import { NOTHING, whatAHostilePageGets } from "./hostile-site.ts";

let browser: Browser;
beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.skipIf(noBrowser)("another page in the same browser", () => {
  it("can neither read what runs there are nor begin, stop or delete one", async () => {
    const server = await aServer();
    const { id } = (await server.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json;
    await followed(server, id);
    expect(await whatAHostilePageGets(browser, { url: server.url, run: id })).toMatchObject(NOTHING);
    expect((await server.ask("/runs")).json.runs).toHaveLength(1);
    await server.remove();
  });
});
