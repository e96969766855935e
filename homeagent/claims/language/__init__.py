"""Words by which an answer tells of deeds and states: data, one file a language."""
