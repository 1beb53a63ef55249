/**
 * Units of speed. The base is the metre per second.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const speed = makeTable("speed", [
  // A walk at leisure.
  { name: "metre per second", symbol: "m/s", factor: 1 },
  // 1000 metres in 3600 seconds.
  { name: "kilometre per hour", symbol: "km/h", factor: 0.2777777777777778 },
  // For satellites: those near the ground make nearly eight.
  { name: "kilometre per second", symbol: "km/s", factor: 1000 },
  // Exactly this, as the mile is exact.
  { name: "mile per hour", symbol: "mph", factor: 0.44704 },
  // Exactly this, as the foot is exact.
  { name: "foot per second", symbol: "ft/s", factor: 0.3048 },
  // Old tape recorders ran at seven and a half.
  { name: "inch per second", symbol: "in/s", factor: 0.0254 },
  // One nautical mile an hour; counted once by knots in a line.
  { name: "knot", symbol: "kn", factor: 0.5144444444444445 },
  // For conveyor belts and lifts.
  { name: "metre per minute", symbol: "m/min", factor: 0.016666666666666666 },
  // In empty space; nothing that carries a message is faster.
  { name: "speed of light", symbol: "c", factor: 299792458 },
]);
