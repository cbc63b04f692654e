"""SIGTERM in a block that has folders to remove."""

import os
import signal
import threading

import pytest

from polyrag_cli.commands.stopping import ended_in_order


def test_a_request_to_end_is_an_interruption_and_the_handler_goes_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), ended_in_order():
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(60)
    assert signal.getsignal(signal.SIGTERM) is before


def test_outside_of_the_main_thread_nothing_is_set() -> None:
    done = []

    def work() -> None:
        with ended_in_order():
            done.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [signal.getsignal(signal.SIGTERM)]
