/** CloudFormation's intrinsic functions, as far as the templates use them; others are errors. Pure. */

export interface Names {
  /** Of a parameter, a pseudo parameter or a resource. `undefined` stands for AWS::NoValue. */
  ref(name: string): unknown;
  getAtt(logicalId: string, attribute: string): unknown;
  availabilityZones(region: string): string[];
  condition(name: string): boolean;
}

/** Whatever stands under `AWS::NoValue` is left out. */
export function resolve(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, names)).filter((each) => each !== undefined);
  if (typeof value !== "object" || value === null) return value;
  const [[name, argument] = ["", undefined], ...others] = Object.entries(value);
  if (others.length === 0 && isIntrinsic(name)) return call(name, argument, names);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const resolved = resolve(member, names);
      return resolved === undefined ? [] : [[key, resolved]];
    }),
  );
}

/** `Condition` alone is not one here: policies have a member of that name. */
const isIntrinsic = (name: string): boolean => name === "Ref" || name.startsWith("Fn::");

function call(name: string, argument: unknown, names: Names): unknown {
  const intrinsic = INTRINSICS[name];
  if (!intrinsic) throw new Error(`The intrinsic function ${name} is not played.`);
  return intrinsic(argument, names);
}

type Intrinsic = (argument: unknown, names: Names) => unknown;

const INTRINSICS: Record<string, Intrinsic> = {
  Ref: (name, names) => names.ref(text(name, "Ref")),
  "Fn::GetAtt": (argument, names) => {
    const [logicalId, ...attribute] = Array.isArray(argument) ? argument : text(argument, "Fn::GetAtt").split(".");
    return names.getAtt(text(logicalId, "Fn::GetAtt"), attribute.join("."));
  },
  "Fn::Join": (argument, names) => {
    const [delimiter, parts] = pair(argument, "Fn::Join");
    return texts(resolve(parts, names), "Fn::Join").join(text(delimiter, "Fn::Join"));
  },
  "Fn::Sub": (argument, names) => {
    const [template, values] = Array.isArray(argument) ? pair(argument, "Fn::Sub") : [argument, {}];
    return substitute(text(template, "Fn::Sub"), resolve(values, names) as Record<string, unknown>, names);
  },
  "Fn::Select": (argument, names) => {
    const [index, list] = pair(resolve(argument, names), "Fn::Select");
    const chosen = Array.isArray(list) ? list[Number(index)] : undefined;
    if (chosen === undefined) throw new Error(`Fn::Select finds nothing at ${index}.`);
    return chosen;
  },
  "Fn::Split": (argument, names) => {
    const [delimiter, whole] = pair(resolve(argument, names), "Fn::Split");
    return text(whole, "Fn::Split").split(text(delimiter, "Fn::Split"));
  },
  "Fn::GetAZs": (argument, names) => {
    const region = text(resolve(argument, names), "Fn::GetAZs");
    return names.availabilityZones(region === "" ? text(names.ref("AWS::Region"), "Fn::GetAZs") : region);
  },
  "Fn::If": (argument, names) => {
    if (!Array.isArray(argument) || argument.length !== 3) throw new Error("Fn::If takes three values.");
    return resolve(names.condition(text(argument[0], "Fn::If")) ? argument[1] : argument[2], names);
  },
  "Fn::Equals": (argument, names) => {
    const [one, other] = pair(resolve(argument, names), "Fn::Equals");
    return one === other;
  },
  "Fn::Not": (argument, names) => !truths(argument, names, "Fn::Not").some(Boolean),
  "Fn::And": (argument, names) => truths(argument, names, "Fn::And").every(Boolean),
  "Fn::Or": (argument, names) => truths(argument, names, "Fn::Or").some(Boolean),
};

/** In a list of conditions, one may be named. */
function truths(argument: unknown, names: Names, where: string): boolean[] {
  if (!Array.isArray(argument)) throw new Error(`${where} takes a list.`);
  return argument.map((each) => {
    const named = (each as { Condition?: unknown } | null)?.Condition;
    return named === undefined ? resolve(each, names) === true : names.condition(text(named, where));
  });
}

/** `${!Name}` is a literal `${Name}`. */
const substitute = (template: string, values: Record<string, unknown>, names: Names): string =>
  template.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(values, name)) return text(values[name], "Fn::Sub");
    const [logicalId = "", ...attribute] = name.split(".");
    return text(attribute.length > 0 ? names.getAtt(logicalId, attribute.join(".")) : names.ref(name), "Fn::Sub");
  });

function text(value: unknown, where: string): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Error(`${where} needs a text, and not ${JSON.stringify(value)}.`);
}

function texts(value: unknown, where: string): string[] {
  if (!Array.isArray(value)) throw new Error(`${where} needs a list, and not ${JSON.stringify(value)}.`);
  return value.map((each) => text(each, where));
}

function pair(value: unknown, where: string): [unknown, unknown] {
  if (!Array.isArray(value) || value.length !== 2) throw new Error(`${where} takes two values.`);
  return [value[0], value[1]];
}
