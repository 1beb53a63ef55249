import java.io.*;
import java.nio.charset.StandardCharsets;
import software.amazon.event.ruler.Ruler;

/** Lines of pattern and event, apart by a tab: prints whether EventBridge's own library matches them. */
class RulerJudge {
  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      int tab = line.indexOf('\t');
      System.out.println(Ruler.matchesRule(line.substring(tab + 1), line.substring(0, tab)));
    }
  }
}
