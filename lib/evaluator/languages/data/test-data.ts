/** Tells data that tests feed to a program, which may be wrong on purpose, from data that the project lives on. Pure. */

export const isTestData = (path: string): boolean => {
  const folders = path.toLowerCase().split("/").slice(0, -1);
  return (
    folders.some((folder) => FED.test(folder)) || (folders.some((folder) => TESTS.test(folder)) && WRONG.test(path))
  );
};

const FED = /^_*(?:fixtures?|test[-_]?data|snapshots?)_*$/;
const TESTS = /^_*(?:tests?|specs?)_*$/;
const WRONG = /(?:^|[/\W_])(?:invalid|broken|malformed|corrupt(?:ed)?|bad|wrong|truncated)(?=[/\W_\d]|$)/i;
