/** All pictures of a run. A new one is one file and one line here. */
import { cost } from "./cost.ts";
import { errors } from "./errors.ts";
import { heatMap } from "./heat-map.ts";
import type { Picture } from "./picture.ts";
import { requirements } from "./requirements.ts";
import { tests } from "./tests.ts";
import { tokens } from "./tokens.ts";

export const pictures: Picture[] = [heatMap, errors, tests, tokens, cost, requirements];
