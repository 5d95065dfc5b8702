"""The witness: a memassay adapter that answers by running the genuine client, black-box.

The client is started with an empty environment, a throw-away home and a scripted Messages API on
loopback, and everything it says is read from the requests it sends and the files it makes. Start
with `ops`; `docs/research/method.md` tells how and with what limits.
"""
