"""Reads `start` and thinks about it for ever."""

import sys
import time

sys.stdin.readline()
time.sleep(600)
