"""The page that the service shows people: plain HTML made here, with htmx for what changes while one looks at it."""
