"""The Model Context Protocol, both ways: tools of other servers for us, and our tools for other agents."""
