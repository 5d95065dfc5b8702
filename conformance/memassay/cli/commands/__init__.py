"""One module a command; each has `command`."""
