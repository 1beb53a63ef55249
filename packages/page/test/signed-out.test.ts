/** Credentials that expire while the page of an API elsewhere is open. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createForward } from "../../../lib/client/forward.ts";
import { UserError } from "../../../lib/core/errors.ts";
import { openGuardedServer } from "../../../lib/local/server/guarded-server.ts";
import { createOpeningCodes } from "../../../lib/local/server/opening-codes.ts";
import { aServer, followed } from "../../../test/api/served.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.skipIf(noBrowser)("a page whose user is signed out", () => {
  it("says so and what to do, and goes on by itself where he signs in again", async () => {
    const elsewhere = await aServer();
    const { id } = (await elsewhere.post("/runs", { task: "Keep a tally", model: "rehearsal" })).json;
    await followed(elsewhere, id);
    let isSignedIn = false;
    const forward = createForward({
      address: { url: elsewhere.url },
      sign: async ({ headers }) => {
        if (isSignedIn) return headers;
        throw new UserError("No AWS credentials were found: the session has expired.", { exitCode: 3 });
      },
    });
    const codes = createOpeningCodes(Date.now);
    const said: string[] = [];
    const server = await openGuardedServer({
      ...{ port: 0, codes, say: (line) => void said.push(line) },
      answer: async (request, { authorised }) => authorised() ?? forward(request),
    });
    const { page, complaints } = await openPage(browser, `${server.url}/#run=${id}&code=${codes.make()}`);
    await page.getByText("No AWS credentials were found: the session has expired.").waitFor();
    await page.getByText("Sign in again in a terminal").waitFor();
    isSignedIn = true;
    await page.locator("header").getByText("completed", { exact: true }).waitFor();
    expect([said, complaints]).toEqual([[], []]);
    await page.context().close();
    server.close();
    server.cutOff();
    await elsewhere.remove();
  });
});
