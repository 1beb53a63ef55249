/**
 * Units of volume. The base is the cubic metre.
 * A factor says how many of the base one of the unit makes.
 */
import { makeTable } from "./table.js";

export const volume = makeTable("volume", [
  // The base: a cube with sides of one metre.
  { name: "cubic metre", symbol: "m3", factor: 1 },
  // A cube of ten centimetres; the capital letter is told apart from a one.
  { name: "litre", symbol: "L", factor: 0.001 },
  // A cube of one centimetre.
  { name: "millilitre", symbol: "mL", factor: 0.000001 },
  // Engines used to be measured with it.
  { name: "cubic inch", symbol: "in3", factor: 0.000016387064 },
  // 231 cubic inches, from the wine gallon of Queen Anne.
  { name: "US gallon", symbol: "gal", factor: 0.003785411784 },
  // An eighth of the US gallon.
  { name: "US pint", symbol: "pt", factor: 0.000473176473 },
  // Exactly this; once defined by ten pounds of water.
  { name: "imperial gallon", symbol: "impgal", factor: 0.00454609 },
  // An eighth of the imperial gallon.
  { name: "imperial pint", symbol: "imppt", factor: 0.00056826125 },
  // 42 US gallons.
  { name: "barrel of oil", symbol: "bbl", factor: 0.158987294928 },
]);
