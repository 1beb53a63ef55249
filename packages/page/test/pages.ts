/** The pages that the tests of a file open. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

/** Pages of a browser that the tests of a file share: closed after each test, and none may have complained. */
export function openPages() {
  let browser: Browser | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    if (!noBrowser) browser = await openBrowser();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());
  async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    if (!browser) throw new Error("No test of this file has begun yet.");
    const { page } = await openPage(browser, url, { ...options, complaints });
    return page;
  }
  return { open, complaints };
}
