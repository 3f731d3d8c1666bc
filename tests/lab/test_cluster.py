"""The lab on a Dask cluster: the same bits as on one machine, even if a worker is killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from distributed import LocalCluster

from cardhouse.engine import CardhouseError
from cardhouse.games.initiative.lab.questions import Order
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.running.study import Progress, Study, ask

STUDY = Study(cells=(Cell(Order(), Order(wait="always")),), trials=600_000, seed=3)


@contextmanager
def cluster(workers: int) -> Iterator[LocalCluster]:
    made = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with made:
        yield made


@pytest.mark.soak
def test_a_killed_worker_costs_no_result():
    with cluster(2) as machines:
        killed: list[int] = []

        def kill_one(progress: Progress) -> None:
            if not killed:
                killed.append(next(iter(machines.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        result = ask(STUDY, cluster=machines.scheduler_address, tell=kill_one)
        assert killed
    assert result.workers == 2
    assert result.answers == ask(STUDY, workers=2).answers


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:9", "No Dask scheduler answers at tcp://127.0.0.1:9."),
        ("10.0.0.5", "--on takes the address of a Dask scheduler, such as tcp://10.0.0.5:8786, not 10.0.0.5."),
        ("tcp://", "--on takes the address of a Dask scheduler, such as tcp://10.0.0.5:8786, not tcp://."),
    ],
)
def test_no_cluster(address: str, said: str):
    with pytest.raises(CardhouseError) as error:
        ask(STUDY, cluster=address)
    assert error.value.message == said


def test_a_cluster_without_workers():
    with cluster(0) as machines, pytest.raises(CardhouseError) as error:
        ask(STUDY, cluster=machines.scheduler_address)
    assert error.value.message == f"The scheduler at {machines.scheduler_address} has no workers."


def test_without_the_package_it_says_what_to_install():
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        "from cardhouse.cli import main\n"
        "sys.exit(main(['lab', 'initiative', 'order', '--on', 'tcp://127.0.0.1:9']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "cardhouse: A cluster needs more packages: pip install 'cardhouse[cluster]'.\n"
