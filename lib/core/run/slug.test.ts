import { describe, expect, it } from "vitest";
import { checkedName, slugOf } from "./slug.ts";

describe("the name of a run", () => {
  it.each([
    ["Build a URL shortener with statistics", "url-shortener-statistics"],
    ["# Eine Übersicht über Käse!", "eine-ubersicht-uber-kase"],
    ["写一本书", "写一本书"],
    ["Напиши словарь для моряков, с тестами", "напиши-словарь-для-моряк"],
    ["मौसम की सूची", "मौसम-की-सूची"],
    ["!!!", "run"],
    ["now add accounts", "accounts"],
    ["../../etc/passwd and more", "etc-passwd-more"],
    ["con", "run"],
    ["A command-line tool that finds duplicate photos in a folder", "finds-duplicate-photos-folder"],
    ["I want an app that tells me when to water my plants", "tells-water-plants"],
    ["A web app where people share recipes", "people-share-recipes"],
    ["写一个 CSV 工具", "csv"],
    ["Make a tool", "tool"],
    ["A to-do list for the terminal, with tests", "todo-list-terminal-tests"],
    ["x".repeat(100), "x".repeat(40)],
  ])("of %j is %s", (task, name) => expect(slugOf(task)).toBe(name));

  it.each(["shop", "Shop_2.0", "käse"])("may be given: %s", (name) => expect(checkedName(name)).toBe(name));
  it.each(["", "a/b", "..", ".hidden", "a b", "nul", "x".repeat(61), "-x"])("may not be %j", (name) => {
    expect(() => checkedName(name)).toThrow(/--name takes letters/);
  });
});
