import os
import signal
import threading

import pytest

from memassay.judge.interrupts import uninterrupted


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


def hold(done, times):
    with uninterrupted():
        for _ in range(times):
            press_ctrl_c()
        done.append("first half")
        done.append("second half")


def test_an_interrupt_waits_for_the_end_of_the_block():
    done = []
    with pytest.raises(KeyboardInterrupt):
        hold(done, 1)
    assert done == ["first half", "second half"]


def test_a_second_one_does_not_wait():
    done = []
    with pytest.raises(KeyboardInterrupt):
        hold(done, 2)
    assert done == []


def test_without_an_interrupt_nothing_happens_and_the_handler_is_back():
    before = signal.getsignal(signal.SIGINT)
    done = []
    hold(done, 0)
    assert done == ["first half", "second half"]
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_inside_is_not_lost():
    with pytest.raises(ValueError, match="inner"), uninterrupted():
        raise ValueError("inner")
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c()


def test_other_threads_are_left_alone():
    done = []
    thread = threading.Thread(target=hold, args=(done, 0))
    thread.start()
    thread.join()
    assert done == ["first half", "second half"]
