"""What is answered over HTTP, as models: the OpenAPI document is made of them, tests hold each answer to its own."""
