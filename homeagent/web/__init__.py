"""The web, as far as it is let in: nothing of it is trusted, and nothing private goes there."""
