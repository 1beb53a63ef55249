/** Reads server-sent events from a body that arrives in parts. Pure. */

export interface ServerEvent {
  /** Empty: the server names none. */
  type: string;
  data: string;
}

export interface EventReader {
  /** The events that are complete with this part. */
  read(part: Uint8Array): ServerEvent[];
  /** The last event of a body that ends without an empty line. */
  end(): ServerEvent[];
}

export function createEventReader(): EventReader {
  const decoder = new TextDecoder();
  /** Of the line that is not complete: parts are joined once, however many there are. */
  let open: string[] = [];
  let type = "";
  let data: string[] = [];
  const take = (raw: string): ServerEvent[] => {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    else if (line.startsWith("event:")) type = line.slice("event:".length).trim();
    if (line !== "") return [];
    const found = data.length > 0 ? [{ type, data: data.join("\n") }] : [];
    type = "";
    data = [];
    return found;
  };
  return {
    read(part) {
      const [first = "", ...more] = decoder.decode(part, { stream: true }).split("\n");
      open.push(first);
      if (more.length === 0) return [];
      const lines = [open.join(""), ...more.slice(0, -1)];
      open = [more.at(-1) ?? ""];
      return lines.flatMap(take);
    },
    end() {
      const last = open.join("");
      open = [];
      return [...take(last), ...(last === "" ? [] : take(""))];
    },
  };
}
