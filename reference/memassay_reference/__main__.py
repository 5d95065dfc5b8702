"""`python -m memassay_reference`: the reference as an adapter, over the same pipe as anyone's."""

import os
import sys

from memassay_reference.adapter import serve

if __name__ == "__main__":
    serve()
    sys.stdout.flush()
    # Nothing is left to do, and taking the model SDK apart again would take a third of a second.
    os._exit(0)
