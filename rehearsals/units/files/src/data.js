/**
 * Units of data. The base is the byte.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const data = makeTable("data", [
  // Eight bits; enough for a letter of the English alphabet.
  { name: "byte", symbol: "B", factor: 1 },
  // The answer to one question with yes or no.
  { name: "bit", symbol: "bit", factor: 0.125 },
  // A short letter.
  { name: "kilobyte", symbol: "kB", factor: 1000 },
  // A long novel.
  { name: "megabyte", symbol: "MB", factor: 1000000 },
  // A shelf of a library.
  { name: "gigabyte", symbol: "GB", factor: 1000000000 },
  // The library.
  { name: "terabyte", symbol: "TB", factor: 1000000000000 },
  // Two to the tenth; memory is counted in these.
  { name: "kibibyte", symbol: "KiB", factor: 1024 },
  // Two to the twentieth.
  { name: "mebibyte", symbol: "MiB", factor: 1048576 },
  // Two to the thirtieth.
  { name: "gibibyte", symbol: "GiB", factor: 1073741824 },
]);
