/** All tables behind one function. */
import { length } from "./length.js";
import { area } from "./area.js";
import { volume } from "./volume.js";
import { angle } from "./angle.js";
import { time } from "./time.js";
import { speed } from "./speed.js";
import { mass } from "./mass.js";
import { temperature } from "./temperature.js";
import { pressure } from "./pressure.js";
import { energy } from "./energy.js";
import { power } from "./power.js";
import { data } from "./data.js";

const tables = [length, area, volume, angle, time, speed, mass, temperature, pressure, energy, power, data];

export function convert(value, from, to) {
  const table = tables.find((each) => each.has(from) && each.has(to));
  if (!table) throw new RangeError("no quantity has both " + from + " and " + to);
  return table.convert(value, from, to);
}
