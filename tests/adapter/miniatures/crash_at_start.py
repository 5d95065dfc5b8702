"""Fails before it has read anything, and says why on stderr."""

import sys

sys.exit("cannot find the module of the port")
