"""The smallest server on the official SDK: what a cold start costs before any work of one's own."""

import anyio
import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

SCHEMA = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}


async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
    """List one tool."""
    tool = types.Tool(name="recall", description="Get a value.", input_schema=SCHEMA)
    return types.ListToolsResult(tools=[tool])


async def call_tool(_context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Answer with the key."""
    text = types.TextContent(type="text", text=str((params.arguments or {}).get("key")))
    return types.CallToolResult(content=[text])


async def main() -> None:
    """Serve until the client goes away."""
    server = Server("floor", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


anyio.run(main)
