// The official SDK of Java, of either generation.
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.stream.Collectors;

class Official {
  public static void main(String[] args) throws Exception {
    var transport = HttpClientStreamableHttpTransport.builder(Steps.URL)
        .requestBuilder(HttpRequest.newBuilder().header(Steps.HEADER, Steps.KEY))
        .build();
    var client = McpClient.sync(transport).build();
    client.initialize();
    var json = McpJsonDefaults.getMapper();
    var tools = new HashMap<String, String>();
    for (var tool : client.listTools().tools()) tools.put(tool.name(), json.writeValueAsString(tool.inputSchema()));
    Steps.walk("mcp", McpClient.class, tools, json::writeValueAsString, (name, arguments) ->
        client.callTool(new CallToolRequest(name, arguments)).content().stream()
            .map(block -> block instanceof TextContent text ? text.text() : "")
            .collect(Collectors.joining("\n")));
  }
}
