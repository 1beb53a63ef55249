/** The server's other name, and what its page's own policy keeps out where something got in. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser | undefined;
let server: TestServer;
let id = "";
const LARGE = "x".repeat(1_500_000);
beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
  server = await aServer();
  const files = [{ path: "large.txt", content: LARGE }];
  id = (await server.post("/runs", { task: "Keep a tally", model: "rehearsal", files })).json.id;
  await followed(server, id);
});
afterAll(async () => {
  await browser?.close();
  await server.remove();
});

const atLocalhost = (): string => server.url.replace("127.0.0.1", "localhost");

describe("a server that is asked as localhost", () => {
  it("leads to itself by that name: what is too large for one answer, the output, uploads, and the run", async () => {
    const at = atLocalhost();
    const json = { "content-type": "application/json" };
    const upload = await server.ask(`${at}/uploads`, { method: "POST", headers: json, body: '{"bytes":1}' });
    const found = [
      (await server.ask(`${at}/runs/${id}/file?path=large.txt`)).headers.get("location") ?? "",
      (await server.ask(`${at}/runs/${id}/output`)).json.url,
      (await server.ask(`${at}/runs/${id}`)).json.links.self,
      upload.json.url,
    ];
    expect(found.map((url) => new URL(url).origin)).toEqual(found.map(() => at));
    expect((await (await fetch(found[0])).text()).length).toBe(LARGE.length);
    const { json: own } = await server.ask(`/runs/${id}/output`);
    expect(new URL(own.url).origin).toBe(server.url);
  });

  it.skipIf(noBrowser)("has a page that shows what is large", async () => {
    if (!browser) return;
    const { page, complaints } = await openPage(browser, `${atLocalhost()}/#run=${id}&tab=file&file=large.txt`);
    await page.locator("article pre", { hasText: "xxxx" }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe.skipIf(noBrowser)("the page's policy", () => {
  it("runs no script that got into the page, and loads nothing from elsewhere", async () => {
    if (!browser) return;
    const { page, complaints } = await openPage(browser, server.url);
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    const title = await page.title();
    await page.evaluate(`
      const script = document.createElement("script");
      script.textContent = "document.title = 'HACKED'";
      document.body.append(script);
      const picture = document.createElement("div");
      picture.innerHTML = "<img src=x onerror=\\"document.title='HACKED'\\"><img src='http://127.0.0.1:1/seen'>";
      document.body.append(picture);
    `);
    await expect
      .poll(() => complaints.filter((each) => /Content Security Policy/.test(each)).length)
      .toBeGreaterThan(1);
    expect(complaints.join("\n")).toMatch(/inline script/);
    expect(complaints.join("\n")).toMatch(/127\.0\.0\.1:1\/seen/);
    expect(await page.title()).toBe(title);
    await page.context().close();
  });

  it("leaves the frame empty in which somebody else's page shows it", async () => {
    if (!browser) return;
    const html = `<!doctype html><p>Free money</p><iframe src="${server.url}/"></iframe>`;
    const site = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const { page } = await openPage(browser, `http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.waitForLoadState("load");
    const [, frame] = page.frames();
    expect(await frame?.getByRole("heading", { name: "Runs" }).count()).toBe(0);
    expect(await frame?.locator("#page").count()).toBe(0);
    await page.context().close();
    site.close();
  });
});
