// A server on the official SDK of Java, of either generation: java Counterpart <mode> <port>.
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.HttpServletSseServerTransportProvider;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import jakarta.servlet.http.HttpServlet;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.catalina.startup.Tomcat;

public class Counterpart {
  static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  static final String NOISE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
  static final AtomicInteger begun = new AtomicInteger();
  static final AtomicInteger cancelled = new AtomicInteger();

  /** What adds a tool to the server of the mode. */
  static Consumer<Named> added = tool -> {};

  /** A tool with what it runs. There is no exchange without sessions. */
  record Named(Tool tool, BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> run) {}

  static final List<Named> tools = new ArrayList<>();

  /** The one builder that both generations have. */
  static Tool.Builder described(String name, String description, String schema) {
    return Tool.builder().name(name).description(description).inputSchema(McpJsonDefaults.getMapper(), schema);
  }

  static Tool tool(String name, String description, String properties, String output) {
    var schema = "{\"type\":\"object\",\"properties\":{" + properties + "}}";
    var made = described(name, description, schema);
    // The gateway cancels calls that only read.
    if (name.equals("slow")) made.annotations(new McpSchema.ToolAnnotations(null, true, null, null, null, null));
    if (output != null) made.outputSchema(McpJsonDefaults.getMapper(), output);
    return made.build();
  }

  static void add(
      String name, String description, String properties, BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> run) {
    tools.add(new Named(tool(name, description, properties, null), run));
  }

  static CallToolResult say(String text) {
    return CallToolResult.builder().addTextContent(text).build();
  }

  static CallToolResult show(Content content) {
    return CallToolResult.builder().addContent(content).build();
  }

  static CallToolResult tell(Map<String, Object> values) {
    return CallToolResult.builder().structuredContent(values).build();
  }

  static long integer(Object value) {
    return ((Number) value).longValue();
  }

  static Map<?, ?> object(Object value) {
    return (Map<?, ?>) value;
  }

  static List<?> list(Object value) {
    return value == null ? List.of() : (List<?>) value;
  }

  static long total(Map<?, ?> tree) {
    long sum = integer(tree.get("value"));
    for (var child : list(tree.get("children"))) sum += total(object(child));
    return sum;
  }

  static void sleep(double seconds) {
    try {
      Thread.sleep((long) (seconds * 1000));
    } catch (InterruptedException error) {
      cancelled.incrementAndGet();
      throw new IllegalStateException(error);
    }
  }

  static CallToolResult wait(double seconds) {
    begun.incrementAndGet();
    sleep(seconds);
    return say("waited");
  }

  static CallToolResult tellSteps(McpSyncServerExchange exchange, CallToolRequest request) {
    var pause = request.arguments().get("pause");
    var token = request.meta() == null ? null : request.meta().get("progressToken");
    for (int step = 1; step <= 3; step++) {
      if (pause != null) sleep(((Number) pause).doubleValue());
      if (exchange != null && token != null)
        exchange.progressNotification(new McpSchema.ProgressNotification(token, step, 3.0, "step " + step));
    }
    return say("done");
  }

  static void addTools() {
    add("about", "Names the version of the SDK", "", (exchange, request) -> say(versionOf()));
    add("text", "Says a word", "\"word\":{\"type\":\"string\"},\"loud\":{\"type\":\"boolean\"}",
        (exchange, request) -> say("said: " + request.arguments().get("word")));
    tools.add(new Named(
        tool("structured", "Adds two integers", "\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"integer\"}",
            "{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"integer\"}},\"required\":[\"sum\"]}"),
        (exchange, request) ->
            tell(Map.of("sum", integer(request.arguments().get("a")) + integer(request.arguments().get("b"))))));
    add("picture", "Shows a picture", "",
        (exchange, request) -> show(new McpSchema.ImageContent(null, PIXEL, "image/png")));
    add("audio", "Plays a sound", "", (exchange, request) -> show(new McpSchema.AudioContent(null, NOISE, "audio/wav")));
    add("resource", "Gives a file", "", (exchange, request) -> show(new McpSchema.EmbeddedResource(null,
        new McpSchema.BlobResourceContents("test://files/data.bin", "application/x-data", "AAEC"))));
    add("tool_error", "Fails", "",
        (exchange, request) -> CallToolResult.builder().addTextContent("the disk is full").isError(true).build());
    add("protocol_error", "Fails as a request", "", (exchange, request) -> {
      throw McpError.builder(-32000).message("the request is refused").build();
    });
    add("progress", "Tells three steps", "\"pause\":{\"type\":\"number\"}", Counterpart::tellSteps);
    add("slow", "Takes its time", "\"seconds\":{\"type\":\"number\"}",
        (exchange, request) -> wait(((Number) request.arguments().get("seconds")).doubleValue()));
    tools.add(new Named(
        tool("seen", "Counts the slow calls, and those that were cancelled", "",
            "{\"type\":\"object\",\"properties\":{\"begun\":{\"type\":\"integer\"},\"cancelled\":{\"type\":\"integer\"}}}"),
        (exchange, request) -> tell(Map.of("begun", begun.get(), "cancelled", cancelled.get()))));
    add("large", "Says two megabytes", "", (exchange, request) -> say("x".repeat(2_000_000)));
    add("nested", "Takes an order",
        "\"order\":{\"type\":\"object\",\"properties\":{\"customer\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},"
            + "\"lines\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"item\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"}}}}}}",
        (exchange, request) -> {
          var order = object(request.arguments().get("order"));
          var line = object(list(order.get("lines")).get(0));
          return say(object(order.get("customer")).get("name") + ": " + line.get("count") + " " + line.get("item"));
        });
    tools.add(new Named(
        described("recursive", "Adds up a tree",
            "{\"type\":\"object\",\"properties\":{\"tree\":{\"$ref\":\"#/$defs/tree\"}},\"required\":[\"tree\"],"
                + "\"$defs\":{\"tree\":{\"type\":\"object\",\"properties\":{\"value\":{\"type\":\"integer\"},"
                + "\"children\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/tree\"}}},\"required\":[\"value\"]}}}")
            .build(),
        (exchange, request) -> say(String.valueOf(total(object(request.arguments().get("tree")))))));
    add("pair", "Takes a tuple",
        "\"point\":{\"type\":\"array\",\"prefixItems\":[{\"type\":\"integer\"},{\"type\":\"integer\"}],\"minItems\":2,\"maxItems\":2}",
        (exchange, request) -> {
          var point = list(request.arguments().get("point"));
          return say(point.get(0) + " and " + point.get(1));
        });
    add("grow", "Adds a tool", "\"name\":{\"type\":\"string\"}", (exchange, request) -> {
      var name = String.valueOf(request.arguments().get("name"));
      added.accept(new Named(tool(name, "Was added later", "", null), (other, empty) -> say("new")));
      return say("grown");
    });
    add("die", "Ends the process", "", (exchange, request) -> {
      Runtime.getRuntime().halt(1);
      return say("gone");
    });
  }

  /** The name of the library ends with its version. */
  static String versionOf() {
    var jar = new File(McpServer.class.getProtectionDomain().getCodeSource().getLocation().getPath()).getName();
    return jar.replaceAll("^mcp-core-|\\.jar$", "");
  }

  static McpServerFeatures.SyncToolSpecification withExchange(Named named) {
    return new McpServerFeatures.SyncToolSpecification(named.tool(), named.run());
  }

  static McpStatelessServerFeatures.SyncToolSpecification withoutExchange(Named named) {
    return new McpStatelessServerFeatures.SyncToolSpecification(
        named.tool(), (context, request) -> named.run().apply(null, request));
  }

  static void serve(McpServer.SyncSpecification<?> specification) {
    var server = specification.serverInfo("counterpart", "1")
        .capabilities(ServerCapabilities.builder().tools(true).build())
        .tools(tools.stream().map(Counterpart::withExchange).toList())
        .build();
    added = tool -> server.addTool(withExchange(tool));
  }

  static void serveStateless(McpServer.StatelessSyncSpecification specification) {
    var server = specification.serverInfo("counterpart", "1")
        .capabilities(ServerCapabilities.builder().tools(true).build())
        .tools(tools.stream().map(Counterpart::withoutExchange).toList())
        .build();
    added = tool -> server.addTool(withoutExchange(tool));
  }

  static void listen(HttpServlet servlet, int port) throws Exception {
    var tomcat = new Tomcat();
    tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/counterpart-" + port);
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(port);
    tomcat.getConnector();
    var context = tomcat.addContext("", null);
    var wrapper = Tomcat.addServlet(context, "mcp", servlet);
    wrapper.setAsyncSupported(true);
    wrapper.setLoadOnStartup(1);
    context.addServletMappingDecoded("/*", "mcp");
    tomcat.start();
    tomcat.getServer().await();
  }

  public static void main(String[] args) throws Exception {
    var port = Integer.parseInt(args[1]);
    addTools();
    switch (args[0]) {
      case "stdio" -> serve(McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper())));
      case "sse" -> {
        var transport = HttpServletSseServerTransportProvider.builder().messageEndpoint("/message").sseEndpoint("/sse").build();
        serve(McpServer.sync(transport));
        listen(transport, port);
      }
      case "stateless-json" -> {
        var transport = HttpServletStatelessServerTransport.builder().messageEndpoint("/mcp").build();
        serveStateless(McpServer.sync(transport));
        listen(transport, port);
      }
      default -> {
        var transport = HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
        serve(McpServer.sync(transport));
        listen(transport, port);
      }
    }
  }
}
