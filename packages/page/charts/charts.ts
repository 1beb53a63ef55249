/** All charts of a run. A new one is one file and one line here. */
import type { Chart } from "./chart.ts";
import { errors } from "./errors.ts";
import { heatMap } from "./heat-map.ts";
import { requirements } from "./requirements.ts";
import { tests } from "./tests.ts";

export const charts: Chart[] = [heatMap, errors, tests, requirements];
