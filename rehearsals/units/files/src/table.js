/** Makes a table of units convert. Units are found by name or symbol. */
export function makeTable(quantity, units) {
  const known = new Map(units.flatMap((unit) => [[unit.name, unit], [unit.symbol, unit]]));
  const find = (spelling) => {
    if (!known.has(spelling)) throw new RangeError(quantity + ' has no unit "' + spelling + '"');
    return known.get(spelling);
  };
  return {
    quantity,
    names: units.map((unit) => unit.name),
    has: (spelling) => known.has(spelling),
    convert(value, from, to) {
      const [a, b] = [find(from), find(to)];
      return (value * a.factor + (a.offset ?? 0) - (b.offset ?? 0)) / b.factor;
    },
  };
}
