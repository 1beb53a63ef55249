/** Questions on the terminal: lines, and secrets without echo. */

export interface Terminal {
  /** Whether the terminal is interactive. */
  isThere: boolean;
  line(question: string): Promise<string>;
  /** Undefined: Ctrl-D instead of an answer. */
  answer(question: string): Promise<string | undefined>;
  /** Undefined: Ctrl-C or Ctrl-D instead of an answer. */
  secret(question: string): Promise<string | undefined>;
  /** What is piped in, to its end. */
  piped(): Promise<string>;
}

interface Streams {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}

export const createTerminal = ({ input, output }: Streams): Terminal => ({
  isThere: input.isTTY === true && output.isTTY === true,
  async line(question) {
    output.write(`${question} `);
    return (await readTyped(input)) ?? "";
  },
  async answer(question) {
    output.write(`${question} `);
    return readTyped(input);
  },
  async secret(question) {
    // First, so that nothing of an early answer is shown.
    input.setRawMode(true);
    try {
      output.write(`${question} `);
      return await readTyped(input);
    } finally {
      input.setRawMode(false);
      output.write("\n");
    }
  },
  async piped() {
    let text = "";
    for await (const chunk of input.setEncoding("utf8")) {
      text += chunk;
      if (text.length > MOST_CHARS) break;
    }
    return text;
  },
});

const MOST_CHARS = 65_536;

/** Up to the end of the line; the rest of a longer paste is dropped. */
function readTyped(input: NodeJS.ReadStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = "";
    const end = (answer: string | undefined): void => {
      input.off("data", take).off("end", close).pause();
      resolve(answer);
    };
    const close = (): void => end(undefined);
    const take = (chunk: string): void => {
      const [line = "", ...rest] = chunk.split(/[\r\n]/);
      typed = edited(typed, line);
      if (INTERRUPTED.test(line)) end(undefined);
      else if (rest.length > 0) end(typed);
    };
    input.setEncoding("utf8").on("data", take).on("end", close).resume();
  });
}

/** Ctrl-C and Ctrl-D: in raw mode they are characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are meant
const INTERRUPTED = /[\u0003\u0004]/;

const BACKSPACE = new Set(["\u007f", "\b"]);

function edited(before: string, more: string): string {
  let text = before;
  for (const character of more) {
    if (BACKSPACE.has(character)) text = text.slice(0, -1);
    else if (character >= " ") text += character;
  }
  return text;
}
