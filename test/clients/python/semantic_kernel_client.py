"""Semantic Kernel: the functions of its plugin, called as its chat completion calls them."""

from semantic_kernel import Kernel
from semantic_kernel.connectors.mcp import MCPStreamableHttpPlugin
from semantic_kernel.contents import ChatHistory, FunctionCallContent
from steps import KEY, URL, main, named, walk


async def program() -> None:
    named("semantic-kernel")
    async with MCPStreamableHttpPlugin(name="gateway", url=URL, headers=KEY) as plugin:
        kernel = Kernel()
        functions = kernel.add_plugin(plugin).functions

        async def call(name: str, arguments: dict) -> str:
            asked = FunctionCallContent(id="call", plugin_name="gateway", function_name=name, arguments=arguments)
            history = ChatHistory()
            await kernel.invoke_function_call(function_call=asked, chat_history=history)
            return str(history.messages[-1].items[-1].result)

        await walk({name: [each.schema_data for each in made.metadata.parameters] for name, made in functions.items()}, call)


main(program)
