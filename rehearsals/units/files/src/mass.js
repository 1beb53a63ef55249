/**
 * Units of mass. The base is the kilogram.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const mass = makeTable("mass", [
  // Since 2019 by the Planck constant, before that by a cylinder of metal near Paris.
  { name: "kilogram", symbol: "kg", factor: 1 },
  // About a paper clip.
  { name: "gram", symbol: "g", factor: 0.001 },
  // For medicine.
  { name: "milligram", symbol: "mg", factor: 0.000001 },
  // A cubic metre of water has about one.
  { name: "tonne", symbol: "t", factor: 1000 },
  // A sixteenth of a pound.
  { name: "ounce", symbol: "oz", factor: 0.028349523125 },
  // Exactly this since the agreement of 1959.
  { name: "pound", symbol: "lb", factor: 0.45359237 },
  // Fourteen pounds; people are weighed with it in Britain.
  { name: "stone", symbol: "st", factor: 6.35029318 },
  // 2000 pounds, as in the United States.
  { name: "short ton", symbol: "ton", factor: 907.18474 },
  // For gems; once the seed of the carob tree.
  { name: "carat", symbol: "ct", factor: 0.0002 },
]);
