/**
 * Units of energy. The base is the joule.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const energy = makeTable("energy", [
  // To lift an apple by one metre takes about that.
  { name: "joule", symbol: "J", factor: 1 },
  // On food in most of the world.
  { name: "kilojoule", symbol: "kJ", factor: 1000 },
  // A cyclist works about an hour and a half for it.
  { name: "megajoule", symbol: "MJ", factor: 1000000 },
  // The thermochemical one; warms a gram of water by a degree.
  { name: "calorie", symbol: "cal", factor: 4.184 },
  // The calorie of diets.
  { name: "kilocalorie", symbol: "kcal", factor: 4184 },
  // One watt for one hour.
  { name: "watt hour", symbol: "Wh", factor: 3600 },
  // The unit on electricity bills.
  { name: "kilowatt hour", symbol: "kWh", factor: 3600000 },
  // Warms a pound of water by a degree Fahrenheit.
  { name: "British thermal unit", symbol: "BTU", factor: 1055.05585262 },
  // Exactly this since 2019; the unit of particles.
  { name: "electronvolt", symbol: "eV", factor: 1.602176634e-19 },
]);
