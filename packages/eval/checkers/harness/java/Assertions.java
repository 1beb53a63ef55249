package org.assertj.core.api;

/** The entry points of AssertJ that tests of exercises use. */
public class Assertions {
    public interface Code { void call() throws Throwable; }

    public static class Thrown {
        private final Class<? extends Throwable> kind;
        Thrown(Class<? extends Throwable> kind) { this.kind = kind; }
        public Assert isThrownBy(Code code) { return new Assert(caught(code)).isInstanceOf(kind); }
    }

    static Throwable caught(Code code) {
        try {
            code.call();
        } catch (Throwable error) {
            return error;
        }
        throw new AssertionError("nothing was thrown");
    }

    public static Assert assertThat(Object found) { return new Assert(found); }
    public static Thrown assertThatExceptionOfType(Class<? extends Throwable> kind) { return new Thrown(kind); }
    public static Thrown assertThatIllegalArgumentException() { return new Thrown(IllegalArgumentException.class); }
    public static Thrown assertThatIllegalStateException() { return new Thrown(IllegalStateException.class); }
    public static Assert assertThatThrownBy(Code code) { return new Assert(caught(code)); }
    public static void assertThatNoException(Code code) throws Throwable { code.call(); }
    public static void fail(String about) { throw new AssertionError(about); }
    public static double offset(double room) { return room; }
    public static double within(double room) { return room; }
}
