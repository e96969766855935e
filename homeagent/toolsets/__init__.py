"""The tools of the home in the forms that other projects have made models used to; each call becomes one of our own."""
