"""How good a language pack is: what it lacks, which of its examples fail, which words nothing in it explains."""
