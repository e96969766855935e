"""What decides in a turn. Every brain uses the same tools in the same loop."""
