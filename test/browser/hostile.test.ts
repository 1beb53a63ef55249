/** Any page of the web can send requests to this computer: none of them makes the server act, or tell. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed } from "../api/served.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

/** What it tries, and what came of it in its text. */
const SCRIPT = `
const [url, run] = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const attempt = async (path, init = {}) => {
  try {
    return "answered " + (await fetch(url + path, init)).status;
  } catch {
    return "refused";
  }
};
const json = { "content-type": "application/json" };
const body = JSON.stringify({ task: "x", model: "rehearsal" });
const frame = document.createElement("iframe");
const framed = new Promise((resolve) => {
  frame.onload = () => resolve(frame.contentDocument === null ? "closed" : "open");
});
frame.src = url;
document.body.append(frame);
const found = {
  reads: await attempt("/runs"),
  token: await attempt("/token"),
  begins: await attempt("/runs", { method: "POST", headers: json, body }),
  beginsBlindly: await attempt("/runs", { method: "POST", mode: "no-cors", body }),
  deletes: await attempt("/runs/" + run, { method: "DELETE", headers: json }),
  framed: await framed,
};
document.querySelector("output").textContent = JSON.stringify(found);
`;

async function aHostileSite(): Promise<{ url: string; server: Server }> {
  const html = `<!doctype html><p>Free money</p><output></output><script type="module">${SCRIPT}</script>`;
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

describe.skipIf(noBrowser)("another page in the same browser", () => {
  it("can neither read what runs there are nor begin or delete one", async () => {
    const server = await aServer();
    const { id } = (await server.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json;
    await followed(server, id);
    const hostile = await aHostileSite();
    const arguments_ = encodeURIComponent(JSON.stringify([server.url, id]));
    const { page } = await openPage(browser, `${hostile.url}#${arguments_}`);
    const output = page.locator("output", { hasText: "framed" });
    await output.waitFor();
    const found = JSON.parse((await output.textContent()) ?? "{}");
    expect(found).toMatchObject({ reads: "refused", token: "refused", begins: "refused", deletes: "refused" });
    expect(found.framed).toBe("closed");
    expect((await server.ask("/runs")).json.runs).toHaveLength(1);
    await page.context().close();
    hostile.server.close();
    await server.remove();
  });
});
