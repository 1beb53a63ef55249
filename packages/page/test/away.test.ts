/** A page whose server is unreachable, busy or broken for a moment, or which is hidden: it catches up by itself. */
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aHeldEvaluator, aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

let server: TestServer | undefined;
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
  await server?.remove();
  server = undefined;
});

interface Held {
  page: Page;
  id: string;
  /** What the page asked for, without the run's address. */
  asked: string[];
  letGo: () => Promise<void>;
}

type Answering = (route: Route, path: string, number: number) => Promise<unknown> | undefined;

/** A page that watches a run which goes on when it is let go; `answer` may answer in the server's place. */
async function watching(answer: Answering = () => undefined): Promise<Held> {
  const { evaluator, letGo } = aHeldEvaluator();
  const own = await aServer({ evaluator });
  server = own;
  const { id } = (await own.post("/runs", { task: "Keep a tally of what I spend", model: "rehearsal" })).json;
  const asked: string[] = [];
  const { page } = await openPage(browser, "about:blank");
  await page.route(`**/runs/${id}**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace(`/runs/${id}`, "");
    asked.push(path);
    const answered = answer(route, path, asked.filter((each) => each === path).length);
    await (answered ?? route.continue());
  });
  await page.clock.install();
  await page.goto(`${own.url}/#run=${id}`);
  await page.getByText("running").first().waitFor();
  return {
    ...{ page, id, asked },
    async letGo() {
      letGo();
      await followed(own, id);
    },
  };
}

const completed = (page: Page) => page.locator("header").getByText("completed", { exact: true });

/** Between two tries of the page. */
const LONGEST_PAUSE_MS = 30_000;
const SORRY = "Your AWS credentials have expired. Next: aws sso login";
const sorry = (route: Route, status: number) =>
  route.fulfill({ status, contentType: "application/problem+json", json: { detail: SORRY } });

/** In the page: as when its tab is left, and as when it is looked at again. */
const see = (page: Page, isSeen: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${!isSeen} });
    document.dispatchEvent(new Event("visibilitychange"));
  `);

describe.skipIf(noBrowser)("a page whose server fails for a moment", () => {
  it.each([429, 500, 503])(
    "goes on after events that are answered with %d, whose words it shows meanwhile",
    async (status) => {
      let isBroken = true;
      const { page, asked, letGo } = await watching((route, path, number) =>
        path === "/events" && number > 1 && isBroken ? sorry(route, status) : undefined,
      );
      await letGo();
      await page.getByText(SORRY).waitFor();
      await page.getByText(/next try in \d s\. Runs are not affected/).waitFor();
      await expect.poll(() => asked.filter((path) => path === "/events").length).toBeGreaterThan(2);
      isBroken = false;
      await after(page, LONGEST_PAUSE_MS);
      await completed(page).waitFor();
      await page.getByText(SORRY).waitFor({ state: "detached" });
      expect(await page.getByRole("img", { name: "accepted" }).count()).toBe(7);
    },
  );

  it.each(["", "/program", "/turns"])(
    "shows how it ended though the answer to %j after its end was lost",
    async (lost) => {
      let isOver = false;
      let isDropped = false;
      const { page, letGo } = await watching((route, path) => {
        if (path === "/events") return tellingEnd(route, () => (isOver = true));
        if (!isOver || isDropped || path !== lost) return undefined;
        isDropped = true;
        return route.abort();
      });
      await letGo();
      await completed(page).waitFor();
      // The header may show the end before the page has asked for the rest of it.
      await expect.poll(() => isDropped).toBe(true);
      await page.getByText("The server has not answered for").waitFor({ state: "detached" });
      expect(await page.getByRole("img", { name: "accepted" }).count()).toBe(7);
    },
  );

  it("opens a run whose first answer fails", async () => {
    const { page } = await watching((route, path, number) =>
      path === "" && number < 3 ? sorry(route, 500) : undefined,
    );
    await page.getByText(SORRY).waitFor({ state: "detached" });
  });
});

async function tellingEnd(route: Route, ended: () => void): Promise<void> {
  // The page may have gone meanwhile.
  const response = await route.fetch().catch(() => undefined);
  if (!response) return;
  const { events } = (await response.json()) as { events: { type: string }[] };
  if (events.some(({ type }) => type === "ended")) ended();
  await route.fulfill({ response });
}

/** So much time passes at once for the page. */
async function after(page: Page, milliseconds: number): Promise<void> {
  await page.clock.fastForward(milliseconds);
  // What it asked for then has reached the server and come back.
  await page.evaluate(`fetch("/openapi.json", { cache: "no-store" }).then((answer) => answer.text())`);
}

describe.skipIf(noBrowser)("a page of a run that has ended", () => {
  it("polls it seldom, not at all while hidden, and at once when visible again", async () => {
    const { page, letGo, asked } = await watching();
    let before = 0;
    const asksWithin = async (milliseconds: number): Promise<number> => {
      before = asked.length;
      await after(page, milliseconds);
      return asked.length - before;
    };
    await letGo();
    await completed(page).waitFor();
    // Until it rests for long, it asks again when a second has passed.
    await expect.poll(() => asksWithin(1_000)).toBe(0);
    expect(await asksWithin(20_000)).toBe(0);
    expect(await asksWithin(15_000)).toBe(1);
    await see(page, false);
    expect(await asksWithin(3_600_000)).toBe(0);
    await see(page, true);
    await expect.poll(() => asked.length).toBeGreaterThan(before);
  });
});

describe.skipIf(noBrowser)("a hidden page", () => {
  it("asks for nothing, and is up to date as soon as it is seen", async () => {
    const { page, letGo, asked } = await watching();
    await expect.poll(() => asked.at(-1)).toBe("/events");
    await see(page, false);
    const before = asked.length;
    await letGo();
    await after(page, 3_600_000);
    expect(asked.slice(before)).toEqual([]);
    await see(page, true);
    await completed(page).waitFor();
  });
});
