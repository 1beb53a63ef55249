#!/usr/bin/env node
import { main } from "../src/main.js";

process.exitCode = await main(process.argv.slice(2), {
  folder: process.env.TALLY_HOME ?? process.cwd(),
  // Swedish dates are written year-month-day, in the time zone of whoever spends the money.
  today: new Date().toLocaleDateString("sv-SE"),
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
});
