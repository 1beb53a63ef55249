/** How AWS is asked from here: soon answered or given up, and as whom the caller said. */
import { defined } from "../core/defined.ts";
import type { Place } from "./chosen.ts";

const CONNECTION_MS = 5_000;
const ANSWER_MS = 15_000;
const ATTEMPTS = 4;

export const clientConfig = ({ region, profile }: Place) => ({
  ...defined({ region, profile }),
  maxAttempts: ATTEMPTS,
  requestHandler: { connectionTimeout: CONNECTION_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
});
