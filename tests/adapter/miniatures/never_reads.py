"""Introduces itself unasked and never reads a byte."""

import time

from wire import introduce

introduce()
time.sleep(600)
