package org.junit.jupiter.api;


/** The checks of JUnit that tests of exercises use. */
public class Assertions {
    public interface Executable { void execute() throws Throwable; }

    public static void assertEquals(Object wanted, Object found) { assertTrue(org.assertj.core.api.Assert.same(found, wanted)); }
    public static void assertEquals(Object wanted, Object found, String about) { assertEquals(wanted, found); }
    public static void assertEquals(double wanted, double found, double room) { assertTrue(Math.abs(wanted - found) <= room); }
    public static void assertNotEquals(Object wanted, Object found) { assertTrue(!org.assertj.core.api.Assert.same(found, wanted)); }
    public static void assertArrayEquals(Object wanted, Object found) { assertEquals(wanted, found); }
    public static void assertTrue(boolean condition) { if (!condition) throw new AssertionError("a condition does not hold"); }
    public static void assertTrue(boolean condition, String about) { assertTrue(condition); }
    public static void assertFalse(boolean condition) { assertTrue(!condition); }
    public static void assertNull(Object found) { assertTrue(found == null); }
    public static void assertNotNull(Object found) { assertTrue(found != null); }
    public static void fail(String about) { throw new AssertionError(about); }

    public static <T extends Throwable> T assertThrows(Class<T> kind, Executable code) {
        try {
            code.execute();
        } catch (Throwable error) {
            if (kind.isInstance(error)) return kind.cast(error);
        }
        throw new AssertionError(kind.getName() + " was not thrown");
    }
}
