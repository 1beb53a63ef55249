/** Models as people name them: one, or several with commas between them, each standing in for the one before. Pure. */

/** More than these would be a list of wishes. */
const MODELS = 5;

export const EXPECTED_MODELS = `the name of a model, or up to ${MODELS} different ones with commas between them`;

export const isModelList = (text: string): boolean => modelList(text) !== undefined;

/** Undefined where the text is no such list. */
export function modelList(text: string): string[] | undefined {
  const names = text.split(",").map((name) => name.trim());
  const isList = names.length <= MODELS && names.every(Boolean) && new Set(names).size === names.length;
  return isList ? names : undefined;
}
