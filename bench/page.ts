/** The page of a large run in a real browser: what a frame costs while its program is scrolled and its history scrubbed. */
import type { CDPSession, Page } from "playwright-core";
import { noBrowser, openBrowser, openPage } from "../packages/page/test/browser.ts";
import { INSTRUCTIONS, LARGE_RUN, serveLargeRun, TURNS } from "./large-run.ts";
import { median, milliseconds, type Row } from "./table.ts";

const FRAMES = 150;
const FRAME_AIM_MS = 16;
const TASK_AIM_MS = 200;
const WHAT = `page of ${INSTRUCTIONS} instructions and ${TURNS} turns`;

export async function page(): Promise<Row[]> {
  if (noBrowser) return [{ what: WHAT, figure: "skipped: there is no Chromium here", aim: "-" }];
  const server = await serveLargeRun();
  const browser = await openBrowser();
  try {
    const { page: opened, complaints } = await openPage(browser, `${server.url}/#run=${LARGE_RUN}`);
    await opened.getByText(`instruction ${INSTRUCTIONS}, turn`).waitFor();
    const rows = [
      ...(await measured(opened, "scrolling its program", scrolling)),
      ...(await measured(opened, "dragging its scrubber", dragging)),
      await showingCharts(opened),
    ];
    if (complaints.length > 0) throw new Error(complaints.join("; "));
    return rows;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** One step of what a person does, done in one frame. */
type Gesture = (page: Page) => Promise<(frame: number) => Promise<void>>;

const scrolling: Gesture = async (page) => {
  const box = await page.getByRole("navigation", { name: "Program" }).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 80);
  // To the end and back.
  return (frame) => page.mouse.wheel(0, frame < FRAMES / 2 ? -700 : 700);
};

const dragging: Gesture = async (page) => {
  const box = await page.getByRole("slider", { name: "Turn" }).boundingBox();
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 1, height: 1 };
  await page.mouse.move(x + width - 8, y + height / 2);
  await page.mouse.down();
  return (frame) => page.mouse.move(x + width - 8 - ((width - 16) * frame) / FRAMES, y + height / 2);
};

async function measured(page: Page, name: string, gesture: Gesture): Promise<Row[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await page.evaluate(LONG_TASKS);
  const step = await gesture(page);
  const costs: number[] = [];
  for (let frame = 1; frame <= FRAMES; frame += 1) {
    const before = await busyMs(cdp);
    await step(frame);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    costs.push((await busyMs(cdp)) - before);
  }
  await page.mouse.up();
  const longest = await longestTask(page);
  const cost = median(costs);
  return [
    {
      what: `${WHAT}: ${name}, script and layout a frame (median)`,
      figure: milliseconds(cost),
      aim: `≤ ${FRAME_AIM_MS} ms`,
      reached: cost <= FRAME_AIM_MS,
    },
    taskRow(`${WHAT}: ${name}, longest task`, longest),
  ];
}

const taskRow = (what: string, longest: number): Row => ({
  what,
  figure: longest === 0 ? "< 50 ms" : milliseconds(longest),
  aim: `≤ ${TASK_AIM_MS} ms`,
  reached: longest <= TASK_AIM_MS,
});

async function showingCharts(page: Page): Promise<Row> {
  await page.getByRole("button", { name: "Latest" }).click();
  await page.getByText(`instruction ${INSTRUCTIONS}, turn`).first().waitFor();
  await page.evaluate(LONG_TASKS);
  await page.getByRole("button", { name: "Charts" }).click();
  await page.getByRole("heading", { name: "Requirements and instructions" }).waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  const elements = await page.evaluate("document.querySelectorAll('*').length");
  return taskRow(`${WHAT}: showing its charts (${elements} elements), longest task`, await longestTask(page));
}

const longestTask = async (page: Page): Promise<number> =>
  (await page.evaluate("Math.max(0, ...globalThis.longTasks)")) as number;

/** The browser tells of tasks of 50 ms and more. */
const LONG_TASKS = `globalThis.longTasks = [];
new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask" });`;

async function busyMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const seconds = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"].map(
    (name) => metrics.find((metric) => metric.name === name)?.value ?? 0,
  );
  return seconds.reduce((sum, value) => sum + value, 0) * 1_000;
}
