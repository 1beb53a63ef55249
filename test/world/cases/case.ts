/** A small project made by hand. What is true of it is measured, as for every other project. */
export interface Case {
  name: string;
  install: string[];
  test: string[];
  files: Record<string, string>;
}
