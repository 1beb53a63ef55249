/** A run with lanes on the page: what each does now, what is finished, and what is executed again. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../lib/core/ports.ts";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { scriptedModel, writeFile } from "../../../test/doubles/scripted-model.ts";
import { barriers } from "./barriers.ts";
import { noBrowser, openBrowser, openPage } from "./browser.ts";

/** The reader reads what the writer writes. */
const PROGRAM = [
  { id: "ground", title: "Ground", text: "Write ground.txt." },
  ...["Writer", "Reader", "Other"].map((title) => ({ title, needs: ["ground"], text: `The part of the ${title}.` })),
];

const script = scriptedModel(({ messages }) => {
  const title = titleOf(messages.map(({ content }) => content).join("\n"));
  const answers = messages.filter(({ role }) => role === "tool").length;
  if (title === "Reader" && answers === 0) return { calls: [["read_files", { paths: ["Writer.txt"] }]] };
  if (answers === (title === "Reader" ? 1 : 0)) return { calls: [writeFile(`${title}.txt`, `of the ${title}\n`)] };
  return { calls: [["complete_instruction", { summary: "done" }]] };
});

const titleOf = (text: string): string => /^Instruction \d+ of \d+: (\w+)$/m.exec(text)?.[1] ?? "";

/** Answers of these instructions wait until they are let go. */
function heldModel(...titles: string[]): { player: Model; letGo: (title: string) => void } {
  const held = new Map(titles.map((title) => [title, Promise.withResolvers<void>()]));
  const player: Model = {
    async ask(request, signal) {
      await held.get(titleOf(request.messages.map(({ content }) => content).join("\n")))?.promise;
      return script.ask(request, signal);
    },
  };
  return { player, letGo: (title) => held.get(title)?.resolve() };
}

let browser: Browser;
let server: TestServer;
const model = heldModel("Writer", "Reader", "Other");
beforeAll(async () => {
  if (noBrowser) return;
  browser = await openBrowser();
  server = await aServer({ player: model.player });
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

describe.skipIf(noBrowser)("a run with lanes", () => {
  it("shows each lane beside its instruction, what is finished, and why one is executed again", async () => {
    const body = { task: "Write the parts.", model: "rehearsal", reflect: 0, parallel: 3, program: PROGRAM };
    const { id } = (await server.post("/runs", body)).json;
    const { page, complaints } = await openPage(browser, `${server.url}/#run=${id}`);
    const row = (text: RegExp) => page.getByRole("button", { name: text });
    await row(/2 Writer.*lane 1/).waitFor();
    await row(/running in lane [23] 3 Reader.*lane [23] · 0 turns/).waitFor();
    await row(/running in lane [23] 4 Other.*lane [23] · 0 turns/).waitFor();
    const { lanes } = (await server.ask(`/runs/${id}`)).json;
    expect(lanes.map(({ lane }: { lane: number }) => lane)).toEqual([1, 2, 3]);
    expect(await barriers(page)).toEqual([]);
    model.letGo("Reader");
    model.letGo("Other");
    await row(/3 Reader.*finished in lane [23], joins in its turn/).waitFor();
    await row(/4 Other.*finished in lane [23], joins in its turn/).waitFor();
    model.letGo("Writer");
    expect((await followed(server, id)).status).toBe("completed");
    await row(/accepted 3 Reader.*lane [23]'s work was dropped: .*Writer\.txt/).waitFor();
    expect((await server.ask(`/runs/${id}`)).json.lanes).toBeUndefined();
    await row(/accepted 3 Reader/).click();
    await row(/^Turn 1.*lane [23], dropped/).click();
    await page.getByText("read_files").waitFor();
    expect(page.url()).toMatch(/at=3\.1%40[23]/);
    await row(/ 4 Other/).click();
    await row(/^Turn 1.*lane [23], joined/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
