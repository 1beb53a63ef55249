package org.assertj.core.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The checks of AssertJ that tests of exercises use, for values of all types. */
public class Assert {
    private final Object found;

    Assert(Object found) { this.found = found; }

    private Assert holds(boolean condition, String what) {
        if (!condition) throw new AssertionError(what + ", found " + (found == null ? null : found.getClass().getName()));
        return this;
    }

    /** A value of Java decides what it equals, and no value of a solution. */
    public static boolean same(Object found, Object wanted) {
        if (found == null || wanted == null) return found == wanted;
        if (found.getClass().isArray() && wanted.getClass().isArray())
            return Arrays.deepEquals(new Object[] {found}, new Object[] {wanted});
        if (found instanceof Number && wanted instanceof Number && of(found) && of(wanted) && found.getClass() != wanted.getClass())
            return ((Number) found).doubleValue() == ((Number) wanted).doubleValue()
                && ((Number) found).longValue() == ((Number) wanted).longValue();
        return of(wanted) ? wanted.equals(found) : found.equals(wanted);
    }

    private static boolean of(Object value) { return value.getClass().getClassLoader() == null; }

    private List<Object> items() {
        if (found == null) throw new AssertionError("there is nothing");
        if (found.getClass().isArray()) return listed(found);
        List<Object> all = new ArrayList<>();
        if (found instanceof CharSequence) found.toString().chars().forEach(each -> all.add((char) each));
        else if (found instanceof Map) all.addAll(((Map<?, ?>) found).entrySet());
        else for (Object each : (Iterable<?>) found) all.add(each);
        return all;
    }

    private static List<Object> listed(Object array) {
        List<Object> all = new ArrayList<>();
        for (int at = 0; at < java.lang.reflect.Array.getLength(array); at++) all.add(java.lang.reflect.Array.get(array, at));
        return all;
    }

    private static List<Object> wanted(Object... given) {
        boolean isOne = given.length == 1 && given[0] != null && given[0].getClass().isArray() && given[0].getClass().getComponentType().isPrimitive();
        return isOne ? listed(given[0]) : Arrays.asList(given);
    }

    private static boolean sameAll(List<?> found, List<?> wanted) {
        if (found.size() != wanted.size()) return false;
        for (int at = 0; at < wanted.size(); at++) if (!same(found.get(at), wanted.get(at))) return false;
        return true;
    }

    private static boolean has(List<Object> all, Object wanted) { return all.stream().anyMatch(each -> same(each, wanted)); }

    private static boolean sameInAnyOrder(List<Object> found, Collection<?> wanted) {
        List<Object> left = new ArrayList<>(found);
        for (Object each : wanted) {
            int at = 0;
            while (at < left.size() && !same(left.get(at), each)) at++;
            if (at == left.size()) return false;
            left.remove(at);
        }
        return left.isEmpty();
    }

    public Assert isEqualTo(Object wanted) { return holds(same(found, wanted), "expected " + wanted); }
    public Assert isNotEqualTo(Object wanted) { return holds(!same(found, wanted), "did not expect " + wanted); }
    public Assert isSameAs(Object wanted) { return holds(found == wanted, "expected the same"); }
    public Assert isNotSameAs(Object wanted) { return holds(found != wanted, "expected another"); }
    public Assert isTrue() { return holds(Boolean.TRUE.equals(found), "expected true"); }
    public Assert isFalse() { return holds(Boolean.FALSE.equals(found), "expected false"); }
    public Assert isNull() { return holds(found == null, "expected null"); }
    public Assert isNotNull() { return holds(found != null, "expected a value"); }
    public Assert isZero() { return isEqualTo(0); }
    public Assert isOne() { return isEqualTo(1); }
    public Assert isPositive() { return holds(number() > 0, "expected more than 0"); }
    public Assert isEmpty() {
        if (found instanceof java.util.Optional) return holds(!((java.util.Optional<?>) found).isPresent(), "expected nothing");
        return holds(items().isEmpty(), "expected nothing");
    }
    public Assert isPresent() { return holds(((java.util.Optional<?>) found).isPresent(), "expected a value"); }
    public Assert isNotEmpty() { return holds(!items().isEmpty(), "expected something"); }
    public Assert hasValue(Object wanted) { return holds(found instanceof java.util.Optional && same(((java.util.Optional<?>) found).orElse(null), wanted), "expected " + wanted); }
    public Assert hasSize(int size) { return holds(items().size() == size, "expected " + size + " items"); }
    public Assert contains(Object... wanted) {
        if (found instanceof String) return holds(Arrays.stream(wanted).allMatch(each -> ((String) found).contains(each.toString())), "expected " + Arrays.toString(wanted));
        if (found instanceof java.util.Optional) return hasValue(wanted[0]);
        List<Object> all = items();
        return holds(wanted(wanted).stream().allMatch(each -> has(all, each)), "expected " + Arrays.toString(wanted));
    }
    public Assert containsExactly(Object... wanted) { return holds(sameAll(items(), wanted(wanted)), "expected " + Arrays.toString(wanted)); }
    public Assert containsExactlyElementsOf(Iterable<?> wanted) { return containsExactly(new Assert(wanted).items().toArray()); }
    public Assert containsExactlyInAnyOrder(Object... wanted) { return holds(sameInAnyOrder(items(), wanted(wanted)), "expected " + Arrays.toString(wanted)); }
    public Assert containsExactlyInAnyOrderElementsOf(Iterable<?> wanted) { return containsExactlyInAnyOrder(new Assert(wanted).items().toArray()); }
    public Assert containsExactlyInAnyOrderEntriesOf(Map<?, ?> wanted) { return isEqualTo(wanted); }
    public Assert containsExactlyEntriesOf(Map<?, ?> wanted) { return isEqualTo(wanted); }
    public Assert containsOnly(Object... wanted) {
        List<Object> all = items();
        List<Object> only = wanted(wanted);
        return holds(only.stream().allMatch(each -> has(all, each)) && all.stream().allMatch(each -> has(only, each)), "expected only " + only);
    }
    public Assert containsOnlyOnce(Object... wanted) { return contains(wanted); }
    public Assert doesNotContain(Object... wanted) { List<Object> all = items(); return holds(wanted(wanted).stream().noneMatch(each -> has(all, each)), "unexpected items"); }
    public Assert doesNotHaveDuplicates() { return holds(new HashSet<>(items()).size() == items().size(), "expected no item twice"); }
    public Assert isSorted() { List<Object> sorted = new ArrayList<>(items()); sorted.sort(null); return holds(sameAll(items(), sorted), "expected order"); }
    public Assert isSubsetOf(Object... wanted) { List<Object> all = wanted(wanted); return holds(items().stream().allMatch(each -> has(all, each)), "expected a part"); }
    private double number() { return found instanceof Number ? ((Number) found).doubleValue() : Double.NaN; }
    private static double number(Object value) { return ((Number) value).doubleValue(); }
    public Assert isCloseTo(Object wanted, double room) { return holds(Math.abs(number() - number(wanted)) <= room, "expected about " + wanted); }
    public Assert isLessThan(Object wanted) { return holds(number() < number(wanted), "expected less than " + wanted); }
    public Assert isLessThanOrEqualTo(Object wanted) { return holds(number() <= number(wanted), "expected at most " + wanted); }
    public Assert isGreaterThan(Object wanted) { return holds(number() > number(wanted), "expected more than " + wanted); }
    public Assert isGreaterThanOrEqualTo(Object wanted) { return holds(number() >= number(wanted), "expected at least " + wanted); }
    public Assert isBetween(Object least, Object most) { return holds(number() >= number(least) && number() <= number(most), "expected from " + least + " to " + most); }
    public Assert matches(String pattern) { return holds(found instanceof String && ((String) found).matches(pattern), "expected " + pattern); }
    public Assert startsWith(String wanted) { return holds(found instanceof String && ((String) found).startsWith(wanted), "expected " + wanted); }
    public Assert isInstanceOf(Class<?> kind) { return holds(kind.isInstance(found), "expected " + kind.getName()); }
    public Assert withMessage(String wanted) { return holds(found instanceof Throwable && Objects.equals(((Throwable) found).getMessage(), wanted), "expected the message " + wanted); }
    public Assert hasMessage(String wanted) { return withMessage(wanted); }
    public Assert withMessageContaining(String wanted) { return hasMessageContaining(wanted); }
    public Assert hasMessageContaining(String wanted) { return holds(found instanceof Throwable && String.valueOf(((Throwable) found).getMessage()).contains(wanted), "expected the message " + wanted); }
    public Assert withNoCause() { return this; }
    public Assert as(String about, Object... more) { return this; }
    public Assert describedAs(String about, Object... more) { return this; }
    public Assert withFailMessage(String about, Object... more) { return this; }
    public Assert overridingErrorMessage(String about, Object... more) { return this; }
    public Assert asList() { return this; }
}
