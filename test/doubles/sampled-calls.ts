/**
 * The calls at which a test lets a process die. A death at each of many takes minutes, so that a landing tries every sixth,
 * another sixth each time; `npm run check:release` and the fault laboratory try all.
 */
const part = Number(process.env.L2MAC_PART ?? 0);
const stride = process.env.L2MAC_RELEASE ? 1 : 6;
const FEW = 30;

export function sampledCalls(first: number, last: number): number[] {
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  return all.length <= FEW ? all : all.filter((call) => call % stride === part % stride);
}
