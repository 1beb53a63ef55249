/** A small project made by hand. What is true of it is measured, as for every other project. */
export interface Case {
  name: string;
  install: string[];
  test: string[];
  /** Absent: the second. CI judges the first. */
  third?: 1;
  files: Record<string, string>;
}
