"""Tells more about itself than there is a place for."""

import sys

from wire import introduce

sys.stdin.readline()
introduce(capabilities=["echo"])
