/**
 * Units of power. The base is the watt.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const power = makeTable("power", [
  // One joule in one second.
  { name: "watt", symbol: "W", factor: 1 },
  // A small light in a device.
  { name: "milliwatt", symbol: "mW", factor: 0.001 },
  // A kettle has about two.
  { name: "kilowatt", symbol: "kW", factor: 1000 },
  // A large windmill has a few.
  { name: "megawatt", symbol: "MW", factor: 1000000 },
  // A large power station.
  { name: "gigawatt", symbol: "GW", factor: 1000000000 },
  // Lifts 75 kilograms by one metre in one second.
  { name: "metric horsepower", symbol: "PS", factor: 735.49875 },
  // 550 foot-pounds a second, after James Watt; rounded.
  { name: "mechanical horsepower", symbol: "hp", factor: 745.6998715822702 },
  // A person at rest gives off about seventy.
  { name: "kilocalorie per hour", symbol: "kcal/h", factor: 1.1622222222222223 },
  // On air conditioners; rounded.
  { name: "BTU per hour", symbol: "BTU/h", factor: 0.2930710701722222 },
]);
