"""All of `make bench`: engine, judge, the largest pack, kernels, the lab on a new machine, the server, and more.

Also people at a human pace, very many tables, several processes, boardgame.io, shared deals, the page's frames, the
first card after *Play*, and the bots.
"""

from benchmarks import (
    bots,
    cold_lab,
    engine,
    first_card,
    frames,
    judge,
    kept,
    largest,
    people,
    processes,
    server,
    together,
)
from benchmarks.boardgame import __main__ as boardgame
from benchmarks.kernels import bench as kernels

if __name__ == "__main__":
    engine.main()
    print()
    judge.main()
    print()
    largest.main()
    print()
    kernels.main()
    print()
    cold_lab.main()
    print()
    server.main()
    print()
    people.main()
    print()
    kept.main()
    print()
    processes.main()
    print()
    boardgame.main()
    print()
    together.main()
    print()
    frames.main()
    print()
    first_card.main()
    print()
    bots.main()
