// What the Java clients do, as an agent would. Each program prints one line of JSON for each step: what its model would see.
import java.io.File;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

class Steps {
  static final String URL = System.getenv("GATEWAY_URL");
  static final String HEADER = "x-service-api-key";
  static final String KEY = System.getenv("GATEWAY_KEY");

  /** Writes a value as JSON, with the library that the client brings. */
  interface Writer {
    String write(Object value) throws Exception;
  }

  /** Returns what the model reads. */
  interface Call {
    String call(String name, Map<String, Object> arguments) throws Exception;
  }

  private final Writer json;
  private final Call call;

  private Steps(Writer json, Call call) {
    this.json = json;
    this.call = call;
  }

  /** The version of the library that has the class: the name of its file ends with it. */
  static String versionOf(Class<?> from) {
    var jar = new File(from.getProtectionDomain().getCodeSource().getLocation().getPath()).getName();
    return jar.replaceAll("^[a-z0-9-]*?-(?=\\d+\\.)|\\.jar$", "");
  }

  /**
   * Goes through the steps. `tools` has the schema of each tool as JSON. The model gets two things wrong, reads why, and
   * mends them as the text says.
   */
  static void walk(String name, Class<?> from, Map<String, String> tools, Writer json, Call call) throws Exception {
    var steps = new Steps(json, call);
    steps.report("client", Map.of("versions", Map.of(name, versionOf(from))));
    Collection<String> names = new TreeMap<>(tools).keySet();
    steps.report("list", Map.of("tools", names, "keepsMembers", tools.get("execute_tools").contains("\"args\"")));
    steps.see("search", "search_tools", Map.of("query", "current time in a time zone", "limit", 3));
    steps.execute("run", Map.of("timeZone", "Europe/Berlin"));
    if (steps.see("wrong", "get_tool_schema", Map.of("tool", "[]")).contains("tool: must be a name"))
      steps.see("mended", "get_tool_schema", Map.of("tool", "time_now"));
    var told = steps.execute("failing", Map.of("timezone", "Europe/Berlin"));
    var known = Pattern.compile("timezone.*?known: (\\w+)", Pattern.DOTALL).matcher(told);
    if (known.find()) steps.execute("repaired", Map.of(known.group(1), "Europe/Berlin"));
    // Some clients leave a thread behind.
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private String execute(String step, Map<String, Object> args) throws Exception {
    return see(step, "execute_tools", Map.of("executions", List.of(Map.of("tool", "time_now", "args", args))));
  }

  private String see(String step, String tool, Map<String, Object> arguments) throws Exception {
    String text;
    boolean thrown = false;
    try {
      text = call.call(tool, arguments);
    } catch (Exception error) {
      text = String.valueOf(error.getMessage());
      thrown = true;
    }
    report(step, Map.of("text", text, "thrown", thrown));
    return text;
  }

  private void report(String step, Map<String, ?> seen) throws Exception {
    var line = new LinkedHashMap<String, Object>(seen);
    line.put("step", step);
    System.out.println(json.write(line));
  }
}
