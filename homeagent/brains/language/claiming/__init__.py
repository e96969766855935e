"""Words by which an answer tells that something was done, or is so from now on: data, one file a language."""
