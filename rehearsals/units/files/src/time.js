/**
 * Units of time. The base is the second.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const time = makeTable("time", [
  // 9192631770 periods of a light that caesium gives.
  { name: "second", symbol: "s", factor: 1 },
  // Sound goes about a third of a metre in it.
  { name: "millisecond", symbol: "ms", factor: 0.001 },
  // Light goes about three hundred metres in it.
  { name: "microsecond", symbol: "us", factor: 0.000001 },
  // Sixty seconds; leap seconds are not looked at here.
  { name: "minute", symbol: "min", factor: 60 },
  // Sixty minutes.
  { name: "hour", symbol: "h", factor: 3600 },
  // Twenty-four hours, whatever the clocks do in spring.
  { name: "day", symbol: "d", factor: 86400 },
  // Seven days.
  { name: "week", symbol: "wk", factor: 604800 },
  // Fourteen nights, as the name says.
  { name: "fortnight", symbol: "fn", factor: 1209600 },
  // 365.25 days; the year of astronomers.
  { name: "Julian year", symbol: "yr", factor: 31557600 },
]);
