/** The annotations of tests that Java's harness compiles. Pure. */
import type { Files } from "../../suite.ts";

const NAMES: [string, string, string][] = [
  ["org.junit.jupiter.api", "Test", ""],
  ["org.junit.jupiter.api", "BeforeEach", ""],
  ["org.junit.jupiter.api", "Disabled", 'String value() default "";'],
  ["org.junit.jupiter.api", "DisplayName", 'String value() default "";'],
  ["org.junit", "Test", "Class<?> expected() default Void.class;"],
  ["org.junit", "Before", ""],
  ["org.junit", "Ignore", 'String value() default "";'],
];

export const JAVA_ANNOTATIONS: Files = Object.fromEntries(
  NAMES.map(([place, name, body]) => [
    `annotations/${place}/${name}.java`,
    `package ${place};\n@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\npublic @interface ${name} { ${body} }\n`,
  ]),
);
