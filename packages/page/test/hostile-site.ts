/** A page of somebody else, open in the same browser, that tries what the server of this computer might do for it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { openPage } from "./browser.ts";

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
const opened = window.open(url, "_blank");
const found = {
  reads: await attempt("/runs"),
  token: await attempt("/token"),
  begins: await attempt("/runs", { method: "POST", headers: json, body }),
  beginsBlindly: await attempt("/runs", { method: "POST", mode: "no-cors", body }),
  beginsWithCookies: await attempt("/runs", { method: "POST", mode: "no-cors", credentials: "include", body }),
  cancels: await attempt("/runs/" + run + "/cancel", { method: "POST", headers: json, body: "{}" }),
  deletes: await attempt("/runs/" + run, { method: "DELETE", headers: json }),
  framed: await framed,
};
const form = document.createElement("form");
Object.assign(form, { method: "POST", action: url + "/runs", target: "_blank", enctype: "text/plain" });
form.innerHTML = "<input name='{\\"task\\":\\"x\\",\\"model\\":\\"rehearsal\\",\\"a\\":\\"' value='\\"}'>";
document.body.append(form);
form.submit();
document.querySelector("output").textContent = JSON.stringify(found);
`;

/** What it found out and brought about at an address of this computer. */
export async function whatAHostilePageGets(
  browser: Browser,
  { url, run }: { url: string; run: string },
): Promise<Record<string, string>> {
  const html = `<!doctype html><p>Free money</p><output></output><script type="module">${SCRIPT}</script>`;
  const site = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const { page } = await openPage(browser, `${address}#${encodeURIComponent(JSON.stringify([url, run]))}`);
  const output = page.locator("output", { hasText: "framed" });
  await output.waitFor();
  const found = JSON.parse((await output.textContent()) ?? "{}");
  await page.context().close();
  site.close();
  return found;
}

/** What it tried: neither answers nor frames may be readable. */
export const NOTHING = {
  ...{ reads: "refused", token: "refused", begins: "refused", cancels: "refused", deletes: "refused" },
  framed: "closed",
};
