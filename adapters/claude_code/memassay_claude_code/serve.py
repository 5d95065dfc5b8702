"""The adapter protocol (version 1) over two pipes, with workers that answer in any order."""

from __future__ import annotations

import base64
import json
import signal
import sys
import threading
import traceback
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memassay_claude_code.bench import Bench
from memassay_claude_code.errors import (
    BadArgumentsError,
    CannotWitnessError,
    EndedError,
    UnknownOpError,
    WireChangedError,
    WitnessError,
)
from memassay_claude_code.ops import BATCHES, OPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from memassay_claude_code.bench import Options

PROTOCOL = 1
WORKERS = 2
"""How many clients run at once: one for each core of the machine that the budget is made for."""

_BATCH_MAX = 60
_HOMEPAGE = "https://code.claude.com/docs"


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of the runner, its arguments decoded."""

    id: int
    op: str
    args: dict[str, Any]


class Inbox:
    """The requests that no worker has taken yet."""

    def __init__(self) -> None:
        self._asks: deque[Ask] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, ask: Ask) -> None:
        """Add a request."""
        with self._changed:
            self._asks.append(ask)
            self._changed.notify()

    def close(self) -> None:
        """Say that no more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Throw away what nobody has taken, and close."""
        with self._changed:
            self._asks.clear()
        self.close()

    def take(self, *, batched: bool) -> list[Ask]:
        """Wait for a request; return it, with others that may share its look if `batched`.

        An empty list means that there will be no more.
        """
        with self._changed:
            while not self._asks and not self._closed:
                self._changed.wait()
            if not self._asks:
                return []
            taken = [self._asks.popleft()]
            batch = BATCHES.get(taken[0].op) if batched else None
            if batch is not None and batch.fits([taken[0].args]):
                others: deque[Ask] = deque()
                for ask in self._asks:
                    together = [*(one.args for one in taken), ask.args]
                    shares = ask.op == taken[0].op and len(taken) < _BATCH_MAX
                    (taken if shares and batch.fits(together) else others).append(ask)
                self._asks = others
            return taken


def serve(make_options: Callable[[], Options], lines: Iterable[str | bytes], out: TextIO) -> None:
    """Answer the runner's messages until `stop`; an end of input without it means that it is gone.

    `make_options` finds the client; it is called at `start`, and what it raises ends the run.
    """
    inbox, lock = Inbox(), threading.Lock()
    workers: list[threading.Thread] = []

    def send(message: dict[str, Any]) -> None:
        with lock:
            out.write(json.dumps(message) + "\n")
            out.flush()

    try:
        for line in lines:
            message = json.loads(line)
            if message["cmd"] == "start":
                options = make_options()
                send(_hello(options))
                for _ in range(WORKERS):
                    worker = threading.Thread(
                        target=_work, args=(inbox, options, send), daemon=True
                    )
                    worker.start()
                    workers.append(worker)
            elif message["cmd"] == "run":
                inbox.put(Ask(message["id"], message["op"], decode(message["args"])))
            else:
                inbox.close()
                for worker in workers:
                    worker.join()
                return
    finally:
        inbox.abandon()


def decode(value: Any) -> Any:
    """Return a wire value with every `{"$bytes": base64}` in it as bytes."""
    if isinstance(value, dict):
        if value.keys() == {"$bytes"}:
            return base64.b64decode(value["$bytes"])
        return {key: decode(child) for key, child in value.items()}
    if isinstance(value, list):
        return [decode(child) for child in value]
    return value


def answer(bench: Bench, asks: list[Ask]) -> list[dict[str, Any]]:
    """Return the answers to requests that were taken together, each with its id.

    If they cannot be answered together, each is asked alone.
    """
    if len(asks) > 1:
        try:
            results = BATCHES[asks[0].op].ask(bench, [ask.args for ask in asks])
        except (WitnessError, CannotWitnessError):
            pass  # one of them spoils it for all
        else:
            return [
                {"id": ask.id, "result": result} for ask, result in zip(asks, results, strict=True)
            ]
    return [{"id": ask.id, **_answer_one(bench, ask)} for ask in asks]


def _answer_one(bench: Bench, ask: Ask) -> dict[str, Any]:
    try:
        function = OPS.get(ask.op)
        if function is None:
            raise UnknownOpError(f"the witness has no op {ask.op}")
        try:
            return {"result": function(bench, ask.args)}
        except (KeyError, TypeError, AttributeError) as error:
            raise BadArgumentsError(f"{ask.op}: {error!r}") from error
    except CannotWitnessError as reason:
        return {"skipped": {"reason": str(reason)}}
    except WireChangedError as error:
        # The witness's fault and not the client's: nobody may call the client wrong for it.
        print(f"case {ask.id} ({ask.op}): {error}", file=sys.stderr, flush=True)
        return {"skipped": {"reason": str(error)}}
    except WitnessError as error:
        print(f"case {ask.id} ({ask.op}): {error}", file=sys.stderr, flush=True)
        return {"error": {"code": error.code, "message": str(error)}}
    except OSError as error:
        return {"error": {"code": "os-error", "message": f"{ask.op}: {error}"}}


def _work(inbox: Inbox, options: Options, send: Callable[[dict[str, Any]], None]) -> None:
    bench = Bench(options)
    try:
        while asks := inbox.take(batched=not options.isolate):
            for message in answer(bench, asks):
                send(message)
    except (BrokenPipeError, EndedError):
        pass  # the runner is gone, or the witness is about to be; the main thread knows
    except Exception:  # noqa: BLE001 (a fault of the witness ends it, with its name)
        traceback.print_exc()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    finally:
        bench.close()


def _hello(options: Options) -> dict[str, Any]:
    return {
        "protocol": PROTOCOL,
        "implementation": {
            "name": "claude-code",
            "version": options.client.version,
            "language": "JavaScript",
            "homepage": _HOMEPAGE,
            "targets": [options.client.version],
        },
        "ops": sorted(OPS),
    }
