"""The service is killed in the middle of its work, again and again, and its files are damaged: it must not mind."""
