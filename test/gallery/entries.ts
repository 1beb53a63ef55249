/** The runs of the gallery. Adding one: a scene in `rehearsals/`, a row here, then `npm run gallery`. */
export interface Entry {
  /** The folder below `examples/gallery`, and the name of the run. */
  name: string;
  title: string;
  /** The scene below `rehearsals` that is played. */
  scene: string;
  /** Words of the task that choose the scene. Absent: a book is chosen by its domain. */
  task: string;
  flags: string[];
  /** What must be installed for the same result. */
  needs?: string;
}

export const ENTRIES: Entry[] = [
  {
    name: "web-app",
    title: "A small web app",
    scene: "shelf",
    task: "A web app that keeps a reading list",
    flags: [],
  },
  {
    name: "change",
    title: "A change to an existing repository",
    scene: "loans",
    task: "Add due dates for lent books to the reading list",
    flags: ["--from", "rehearsals/shelf/files"],
  },
  {
    name: "cli-javascript",
    title: "A command-line tool in JavaScript",
    scene: "tally",
    task: "A command-line tool that keeps a tally of what I spend",
    flags: [],
  },
  {
    name: "cli-python",
    title: "A command-line tool in Python",
    scene: "twins",
    task: "A command-line tool in Python that finds files with equal content",
    flags: [],
    needs: "python3",
  },
  {
    name: "book",
    title: "A book",
    scene: "pigeonholes",
    task: "A short book on how a stored-program computer works",
    flags: ["--domain", "book"],
  },
];
