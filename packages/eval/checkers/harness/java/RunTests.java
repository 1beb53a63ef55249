package harness;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Runs the tests of a class, and prints the key that comes from standard input after the last one. */
public class RunTests {
    public static void main(String[] names) throws Exception {
        String key = new BufferedReader(new InputStreamReader(System.in)).readLine();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out));
        int count = 0;
        for (String name : names) {
            Class<?> kind = Class.forName(name);
            Constructor<?> create = kind.getDeclaredConstructor();
            create.setAccessible(true);
            for (Method test : kind.getDeclaredMethods()) {
                if (!isTest(test)) continue;
                Object made = create.newInstance();
                try {
                    for (Method before : kind.getDeclaredMethods()) if (isBefore(before)) called(before, made);
                    called(test, made);
                } catch (InvocationTargetException error) {
                    if (expects(test) == null || !expects(test).isInstance(error.getCause())) fail(test, error.getCause());
                }
                count++;
            }
        }
        if (count == 0) System.exit(1);
        out.println("\n" + key + " passed");
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void fail(Method test, Throwable why) {
        System.err.println(test.getName() + ": " + why);
        Runtime.getRuntime().halt(1);
    }

    private static void called(Method method, Object made) throws Exception {
        method.setAccessible(true);
        method.invoke(made);
    }

    private static boolean isTest(Method method) {
        return method.isAnnotationPresent(org.junit.jupiter.api.Test.class) || method.isAnnotationPresent(org.junit.Test.class);
    }

    private static boolean isBefore(Method method) {
        return method.isAnnotationPresent(org.junit.jupiter.api.BeforeEach.class) || method.isAnnotationPresent(org.junit.Before.class);
    }

    private static Class<?> expects(Method method) {
        org.junit.Test test = method.getAnnotation(org.junit.Test.class);
        return test == null || test.expected() == Void.class ? null : test.expected();
    }
}
