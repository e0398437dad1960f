// Spring AI: its manager runs the tools that a model asks for, and writes what the model reads.
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;

class SpringAi {
  public static void main(String[] args) throws Exception {
    var transport = HttpClientStreamableHttpTransport.builder(Steps.URL)
        .requestBuilder(HttpRequest.newBuilder().header(Steps.HEADER, Steps.KEY))
        .build();
    var client = McpClient.sync(transport).build();
    client.initialize();
    var provider = SyncMcpToolCallbackProvider.builder().mcpClients(client).build();
    var options = DefaultToolCallingChatOptions.builder().toolCallbacks(provider.getToolCallbacks()).build();
    var manager = ToolCallingManager.builder().build();
    var tools = new HashMap<String, String>();
    for (var tool : manager.resolveToolDefinitions(options)) tools.put(tool.name(), tool.inputSchema());
    var json = McpJsonDefaults.getMapper();
    Steps.walk("spring-ai-mcp", SyncMcpToolCallbackProvider.class, tools, json::writeValueAsString, (name, arguments) -> {
      var asked = new AssistantMessage.ToolCall("1", "function", name, json.writeValueAsString(arguments));
      var said = AssistantMessage.builder().content("").toolCalls(List.of(asked)).build();
      var prompt = new Prompt(List.of(new UserMessage("go on")), options);
      var history = manager.executeToolCalls(prompt, new ChatResponse(List.of(new Generation(said)))).conversationHistory();
      var result = (ToolResponseMessage) history.get(history.size() - 1);
      return result.getResponses().get(0).responseData();
    });
  }
}
