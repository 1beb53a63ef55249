/** The written scenes that can be rehearsed. Adding one: a folder under `scenes/`, and one line here. */
import type { Domain } from "../core/run/run.ts";
import type { Scene } from "./scene.ts";
import { pigeonholes } from "./scenes/pigeonholes/scene.ts";
import { tally } from "./scenes/tally/scene.ts";
import { twins } from "./scenes/twins/scene.ts";
import { units } from "./scenes/units/scene.ts";

export const defaultScene: Scene = tally;

/** In the order in which they are asked whether they match. */
export const scenes: Scene[] = [
  units, // a tiny context window, driven past its limit
  pigeonholes, // a short book
  twins, // Python
  tally, // JavaScript
];

/** Any task finds a scene: one whose words it holds, else one of its domain, else the default. */
export const sceneFor = (task: string, domain?: Domain): Scene =>
  scenes.find((scene) => scene.matches(task)) ??
  (domain === "book" ? scenes.find((scene) => scene.domain === domain) : undefined) ??
  defaultScene;
