"""Greets the user on stdout."""

import sys

from wire import introduce, say

say("Port 1.0 ready")
sys.stdin.readline()
introduce()
