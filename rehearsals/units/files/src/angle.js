/**
 * Units of angle. The base is the degree.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const angle = makeTable("angle", [
  // The base here, since its relation to the other parts of a circle is exact.
  { name: "degree", symbol: "deg", factor: 1 },
  // A sixtieth of a degree; the full moon has about thirty.
  { name: "minute of arc", symbol: "arcmin", factor: 0.016666666666666666 },
  // A sixtieth of a minute of arc.
  { name: "second of arc", symbol: "arcsec", factor: 0.0002777777777777778 },
  // Once round.
  { name: "turn", symbol: "tr", factor: 360 },
  // A quarter of a turn, as the corner of a page.
  { name: "right angle", symbol: "rt", factor: 90 },
  // A hundredth of a right angle; used by surveyors.
  { name: "gradian", symbol: "gon", factor: 0.9 },
  // The arc is as long as the radius: 180 degrees divided by pi.
  { name: "radian", symbol: "rad", factor: 57.29577951308232 },
  // A sixth of a turn, which named the instrument of navigators.
  { name: "sextant", symbol: "sxt", factor: 60 },
  // A thirty-second of a turn.
  { name: "point of the compass", symbol: "pnt", factor: 11.25 },
]);
