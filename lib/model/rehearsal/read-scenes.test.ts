import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { extractRequirements } from "../../core/program/requirements.ts";
import { readScenes, sceneFor, sceneOf } from "./read-scenes.ts";
import { type Beat, pathsWritten, type Scene } from "./scene.ts";

const scenes = readScenes(fileURLToPath(new URL("../../../rehearsals", import.meta.url)));
const defaultScene = sceneFor(scenes, "");

const beatsOf = (scene: Scene): Beat[] => scene.parts.flatMap((part) => [...part.beats, ...part.repairs]);
const tokensOf = (beat: Beat) => JSON.stringify(beat.calls).length / 4;

describe.each(scenes)("the scene $name", (scene) => {
  it("finds itself by its own task, whose numbered items are its requirements", () => {
    expect(sceneFor(scenes, scene.task)).toBe(scene);
    expect(extractRequirements(scene.task)).toEqual(scene.requirements);
  });

  it("says something else in each beat, so that what was played is known", () => {
    const says = beatsOf(scene).map((beat) => beat.say);
    for (const say of says) expect(says.filter((other) => other.includes(say))).toEqual([say]);
  });

  it("ends each part by completing it", () => {
    for (const part of scene.parts) {
      expect(part.beats.at(-1)?.calls.at(-1)?.tool).toBe("complete_instruction");
      const calls = part.beats.slice(0, -1).flatMap((beat) => beat.calls.map((call) => call.tool));
      expect(calls).not.toContain("complete_instruction");
    }
  });

  it("names no path in task, texts or hand-over before it is written", () => {
    const written: string[] = [];
    const all = scene.parts.flatMap((part) => part.beats.flatMap(pathsWritten));
    for (const part of scene.parts) {
      const unwritten = all.filter((path) => !written.includes(path));
      const announced = [scene.task, part.title, part.text, part.firstDraft?.text ?? ""].join("\n");
      for (const path of unwritten) expect(announced).not.toContain(path);
      written.push(...part.beats.flatMap(pathsWritten));
      const handOver = JSON.stringify(part.beats.at(-1)?.calls);
      for (const path of all.filter((each) => !written.includes(each))) expect(handOver).not.toContain(path);
    }
  });

  it("has beats that fit an ordinary answer, and a tiny one where the window is tiny", () => {
    const most = scene.name === "units" ? 900 : 3_500;
    for (const beat of beatsOf(scene)) expect(tokensOf(beat), beat.say).toBeLessThan(most);
  });
});

describe("the choice of a scene", () => {
  it("gives every title to one scene only", () => {
    const titles = scenes.flatMap((scene) => scene.parts.map((part) => part.title));
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("takes the default where no scene's words are in the task", () => {
    expect(sceneFor(scenes, "Write a URL shortener")).toBe(defaultScene);
    expect(sceneFor(scenes, "Write an address book")).toBe(defaultScene);
  });

  it("takes the book for the domain of books, whatever it is about", () => {
    expect(sceneFor(scenes, "A guide to knots", "book").domain).toBe("book");
  });

  it("takes no code where no tests are run, whatever words are in the task", () => {
    expect(sceneFor(scenes, "A tally in Python", "custom").domain).toBe("book");
  });

  const asked = (system: string, user: string) =>
    sceneOf(scenes, {
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
      tools: [],
      maxOutputTokens: 1,
      timeoutMs: 1,
    }).name;

  it("looks for words in the task, not in the prompt around it", () => {
    const around = "Planning the program\n\n# Task\n\nA chess clock.\n\n# Answer\n\nIn Python use unittest.";
    expect(asked("You write programs.", around)).toBe(defaultScene.name);
    expect(asked("You write programs.", around.replace("clock", "clock in Python"))).toBe("twins");
    expect(asked("You plan a book.", around)).toBe("pigeonholes");
    expect(asked("You make a folder of text files.", around)).toBe("pigeonholes");
  });

  it("goes by an instruction's title where the conversation opens one", () => {
    expect(asked("", "# Task\n\nA chess clock.\n\n# Your instruction\n\nInstruction 3 of 6: Group equal files")).toBe(
      "twins",
    );
  });
});
