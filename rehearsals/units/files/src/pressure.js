/**
 * Units of pressure. The base is the pascal.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const pressure = makeTable("pressure", [
  // One newton on one square metre: a sheet of paper lying on a table has about that.
  { name: "pascal", symbol: "Pa", factor: 1 },
  // On weather maps; the old millibar under another name.
  { name: "hectopascal", symbol: "hPa", factor: 100 },
  // On tyres in some countries.
  { name: "kilopascal", symbol: "kPa", factor: 1000 },
  // Nearly the air at the level of the sea.
  { name: "bar", symbol: "bar", factor: 100000 },
  // The same as the hectopascal.
  { name: "millibar", symbol: "mbar", factor: 100 },
  // Exactly this since 1954.
  { name: "standard atmosphere", symbol: "atm", factor: 101325 },
  // A 760th of the standard atmosphere, for Torricelli.
  { name: "torr", symbol: "Torr", factor: 133.32236842105263 },
  // On pumps for bicycles; rounded.
  { name: "pound per square inch", symbol: "psi", factor: 6894.757293168361 },
  // The depth at which a diver feels as much on top of the air.
  { name: "metre of water", symbol: "mH2O", factor: 9806.65 },
]);
