// LangChain4j: an AI service, whose model asks for one tool at a time and is shown what came of it. It sends the headers of its
// arguments, name and value in turn.
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import java.util.HashMap;
import java.util.Map;

class LangChain4j {
  interface Assistant {
    String chat(String words);
  }

  /** Asks for the tool that it is told to, and repeats what it reads. */
  static class Model implements ChatModel {
    ToolExecutionRequest next;
    Map<String, String> tools = new HashMap<>();

    @Override
    public ChatResponse doChat(ChatRequest request) {
      for (var tool : request.toolSpecifications()) tools.put(tool.name(), tool.toJson());
      var last = request.messages().get(request.messages().size() - 1);
      var said = last instanceof ToolExecutionResultMessage result ? AiMessage.from(result.text())
          : next == null ? AiMessage.from("nothing") : AiMessage.from(next);
      return ChatResponse.builder().aiMessage(said).build();
    }
  }

  public static void main(String[] args) throws Exception {
    var headers = new HashMap<>(Map.of(Steps.HEADER, Steps.KEY));
    for (int at = 0; at < args.length; at += 2) headers.put(args[at], args[at + 1]);
    var transport = StreamableHttpMcpTransport.builder().url(Steps.URL + "/mcp").customHeaders(headers).build();
    var client = DefaultMcpClient.builder().transport(transport).build();
    var model = new Model();
    var assistant = AiServices.builder(Assistant.class)
        .chatModel(model).toolProvider(McpToolProvider.builder().mcpClients(client).build()).build();
    assistant.chat("hello");
    var json = new ObjectMapper();
    Steps.walk("langchain4j-mcp", DefaultMcpClient.class, model.tools, json::writeValueAsString, (name, arguments) -> {
      model.next = ToolExecutionRequest.builder().id("1").name(name).arguments(json.writeValueAsString(arguments)).build();
      return assistant.chat("go on");
    });
  }
}
