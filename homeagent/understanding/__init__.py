"""From a sentence to what it asks for: every word is explained, or it costs.

tokens -> lattice (what each stretch may say) -> covers -> clauses -> frames -> the likeliest whole, and how sure it is.
No I/O, no home but what is given, and no word of any language.
"""
