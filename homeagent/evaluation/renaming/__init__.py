"""Other names for the same home: shows whether a brain knows the home or has learnt a data set by heart."""
