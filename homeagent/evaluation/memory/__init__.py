"""How well memory remembers: dialogues of several days in, what is kept and recalled out; and evidence found."""
