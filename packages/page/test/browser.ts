/** A real browser, where this computer has one: Debian's package chromium, or what L2MAC_CHROMIUM names. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";

const PATHS = [process.env.L2MAC_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = PATHS.find((path) => path !== undefined && existsSync(path));

export const noBrowser = executablePath === undefined;

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no Chromium here: apt-get install chromium");
  // Its own sandbox needs what containers and root do not give; the pages are ours.
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

export interface WatchedPage {
  page: Page;
  /** What the page complained of: scripts that failed, what its policy refused. */
  complaints: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  { complaints = [], ...options }: BrowserContextOptions & { complaints?: string[] } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    // The browser also reports refused and failed requests.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  return { page, complaints };
}

/** A file or folder in the tree of files: turns name files too. */
export const inTree = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("navigation", { name: "Files" }).getByRole("button", { name });
