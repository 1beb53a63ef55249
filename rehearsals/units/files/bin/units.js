#!/usr/bin/env node
import { convert } from "../src/index.js";

const [value, from, to] = process.argv.slice(2);
try {
  if (!to || Number.isNaN(Number(value))) throw new RangeError("usage: units 3 mile km");
  console.log(String(Number(convert(Number(value), from, to).toPrecision(12))));
} catch (error) {
  console.error("units: " + error.message);
  process.exitCode = 2;
}
