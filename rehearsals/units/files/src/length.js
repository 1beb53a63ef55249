/**
 * Units of length. The base is the metre.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const length = makeTable("length", [
  // How far light goes in 1/299792458 of a second; meant as a part of the quarter meridian.
  { name: "metre", symbol: "m", factor: 1 },
  // The distance on road signs in most of the world.
  { name: "kilometre", symbol: "km", factor: 1000 },
  // About the width of a fingernail.
  { name: "centimetre", symbol: "cm", factor: 0.01 },
  // The unit of workshop drawings.
  { name: "millimetre", symbol: "mm", factor: 0.001 },
  // Exactly this since the agreement of 1959.
  { name: "inch", symbol: "in", factor: 0.0254 },
  // Twelve inches.
  { name: "foot", symbol: "ft", factor: 0.3048 },
  // Three feet; the agreement of 1959 defines this one and the others follow.
  { name: "yard", symbol: "yd", factor: 0.9144 },
  // Eight furlongs, or 1760 yards.
  { name: "mile", symbol: "mi", factor: 1609.344 },
  // About one minute of arc along a meridian; fixed in 1929.
  { name: "nautical mile", symbol: "nmi", factor: 1852 },
]);
