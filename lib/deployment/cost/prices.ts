/** AWS list prices of us-east-1 in US dollars, as of 2026, without free tiers. Pure. */

const GB = 1_000_000_000;

export const PRICES = {
  transition: 0.025 / 1_000,
  invocation: 0.2 / 1_000_000,
  gbSecond: 0.0000133334,
  evaluatorGbSecond: 0.0000166667,
  writeUnit: 0.625 / 1_000_000,
  readUnit: 0.125 / 1_000_000,
  s3Write: 0.005 / 1_000,
  s3Read: 0.0004 / 1_000,
  apiRequest: 3.5 / 1_000_000,
  trace: 5 / 1_000_000,
  logByte: 0.5 / GB,
  /** Of CodeBuild's smallest computer; on ARM it is cheaper. */
  buildMinute: 0.005,
  /** All requests of one, as `npm run rehearse:cloud` measures them, rounded up. */
  instruction: 0.0003,
  /** Of memory, for each new execution environment of a function with tenant isolation. */
  tenantGb: 0.000167,
} as const;

/** For a whole month. */
export const MONTHLY = {
  secret: 0.4,
  /** Each metric of an alarm, also those that an expression adds up. */
  alarmMetric: 0.1,
  /** By the hour: for the hours that it has data. */
  customMetric: 0.3,
  dashboard: 3,
  imageGb: 0.1,
  /** Of AWS KMS, beside those that AWS manages. */
  key: 1,
} as const;

/** CloudWatch charges no dashboard of the first three in an account. */
export const FREE_DASHBOARDS = 3;

export const HOURS_PER_MONTH = 730;
export const MINUTES_PER_MONTH = 30 * 24 * 60;
