import { describe, expect, it } from "vitest";
import { languageOf } from "./language.ts";

describe("the language of a book", () => {
  it.each([
    ["en", "It was the best of times, and he was not to know that the worst would come with it."],
    ["de", "Das ist nicht der Anfang, und die Stadt lag mit allen Türmen in der Sonne."],
    ["fr", "Dans la ville, les gens ne savaient pas que le roi est parti pour une année."],
    ["es", "El niño y la niña viven en una casa que no es de los padres, y se van con su perro."],
    ["it", "Il gatto che non è della casa dorme con il cane per una notte."],
    ["nl", "Het is niet dat hij van een huis droomt, maar dat hij op zee was met een schip."],
    ["ru", "Все счастливые семьи похожи друг на друга."],
    ["uk", "Усі щасливі сім'ї схожі одна на одну, і кожна їхня історія своя."],
    ["zh", "这是一本关于计算机的书。"],
    ["ja", "これは計算機についての本である。"],
    ["ko", "이것은 컴퓨터에 관한 책이다."],
    ["ar", "كان في المدينة جدار من الخشب."],
    ["fa", "این کتابی است که پدر و چند دوست گفتند؛ پس از آن گم شد."],
    ["el", "Μια φορά κι έναν καιρό ήταν ένας τοίχος."],
  ])("is %s for: %s", (code, text) => {
    expect(languageOf(text).code).toBe(code);
  });

  it("is left open where nothing tells", () => {
    expect(languageOf("Zorb quix flanned.")).toEqual({ code: "und", direction: "ltr", contents: "Contents" });
    expect(languageOf("A").code).toBe("und");
    expect(languageOf("").code).toBe("und");
  });

  it("gives its own word for the contents", () => {
    expect(languageOf("Das ist nicht der Anfang, und die Stadt ist alt.").contents).toBe("Inhalt");
  });
});
