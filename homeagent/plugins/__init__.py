"""What a package of tools imports: `docs/tools.md` shows a tool of ten lines."""

from homeagent.plugins.contract import Category, Tool, ToolError, ToolParameter, ToolResult
from homeagent.plugins.registry import Registry, register, registry

__all__ = ["Category", "Registry", "Tool", "ToolError", "ToolParameter", "ToolResult", "register", "registry"]
