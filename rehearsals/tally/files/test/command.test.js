import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { main } from "../src/main.js";

async function shell() {
  const folder = await mkdtemp(join(tmpdir(), "tally-"));
  return async (...args) => {
    const said = [];
    const say = (text) => said.push(text);
    const code = await main(args, { folder, today: "2026-11-05", print: say, complain: say });
    return { code, text: said.join("\n"), folder };
  };
}

test("what is added is listed, and its note may hold anything", async () => {
  const tally = await shell();
  assert.equal((await tally("add", "12,50", "Food", "soup,", "bread")).text, "2026-11-05: 12.50 for food");
  await tally("add", "700", "rent", "--date", "2026-11-01");
  assert.equal((await tally("list")).text, "2026-11-01  700.00  rent\n2026-11-05   12.50  food  soup, bread");
  assert.equal((await tally("list", "--category", "RENT")).text, "2026-11-01  700.00  rent");
});

test("an empty list says so", async () => {
  const tally = await shell();
  assert.deepEqual((await tally("list", "--month", "2026-11")).text, "No entries.");
});

test("sums show share and bar", async () => {
  const tally = await shell();
  await tally("add", "30", "food");
  await tally("add", "90", "rent", "--date", "2026-10-01");
  assert.equal((await tally("sum")).text, "rent  90.00  75 %  ####################\nfood  30.00  25 %  #######");
  assert.match((await tally("sum", "--by", "month")).text, /^2026-10 .*\n2026-11 /);
});

test("a budget shows what is left of this month", async () => {
  const tally = await shell();
  await tally("add", "30", "food");
  await tally("add", "99", "food", "--date", "2026-10-31");
  assert.equal((await tally("budget", "food", "300")).text, "food  270.00  left of 300.00");
});

test("a mistyped command ends with 2 and one line", async () => {
  const tally = await shell();
  const wrong = [["spend"], ["constructor"], ["add", "ten", "food"], ["add", "1"], ["list", "--year", "2026"]];
  for (const args of [...wrong, ["list", "--month", "11"], ["sum", "--by", "day"], ["budget", "food"]]) {
    const { code, text } = await tally(...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(text, /^tally: [^\n]+$/);
  }
});

test("a damaged ledger ends with 1 and names the line", async () => {
  const tally = await shell();
  const { folder } = await tally("help");
  await writeFile(join(folder, "ledger.csv"), "date,amount,category,note\nyesterday,1.00,food,\n");
  assert.deepEqual(await tally("list"), { code: 1, text: 'tally: line 2: "yesterday" is not a date', folder });
});
