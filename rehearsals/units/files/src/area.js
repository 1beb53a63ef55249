/**
 * Units of area. The base is the square metre.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const area = makeTable("area", [
  // The base: a square with sides of one metre.
  { name: "square metre", symbol: "m2", factor: 1 },
  // For towns and islands.
  { name: "square kilometre", symbol: "km2", factor: 1000000 },
  // A postage stamp has about six.
  { name: "square centimetre", symbol: "cm2", factor: 0.0001 },
  // A square of one hundred metres; the unit of farmers.
  { name: "hectare", symbol: "ha", factor: 10000 },
  // A square of ten metres; rarely used now but in gardens.
  { name: "are", symbol: "a", factor: 100 },
  // Screens and stresses are still given with it.
  { name: "square inch", symbol: "in2", factor: 0.00064516 },
  // Floor space in some countries; 144 square inches.
  { name: "square foot", symbol: "ft2", factor: 0.09290304 },
  // What an ox team was said to plough in one day; 4840 square yards.
  { name: "acre", symbol: "ac", factor: 4046.8564224 },
  // 640 acres.
  { name: "square mile", symbol: "mi2", factor: 2589988.110336 },
]);
