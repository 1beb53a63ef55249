/**
 * Units of temperature. The base is the kelvin.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const temperature = makeTable("temperature", [
  // From the absolute zero upwards, without a degree sign.
  { name: "kelvin", symbol: "K", factor: 1 },
  // Water freezes at 0 and boils near 100.
  { name: "degree Celsius", symbol: "C", factor: 1, offset: 273.15 },
  // Water freezes at 32 and boils near 212.
  { name: "degree Fahrenheit", symbol: "F", factor: 0.5555555555555556, offset: 255.3722222222222 },
  // Steps of Fahrenheit, from the absolute zero upwards.
  { name: "degree Rankine", symbol: "R", factor: 0.5555555555555556 },
  // Eighty steps between ice and steam; some cheese makers use it.
  { name: "degree Réaumur", symbol: "Re", factor: 1.25, offset: 273.15 },
  // For very cold laboratories.
  { name: "millikelvin", symbol: "mK", factor: 0.001 },
]);
