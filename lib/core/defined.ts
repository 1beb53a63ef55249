/** Optional properties without conditional spreads. Pure. */

export type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Without the properties that are undefined. */
export const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
