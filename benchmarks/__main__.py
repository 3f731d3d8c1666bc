"""All of `make bench`: engine, judge, the largest pack, kernels, the server, dealing together, frames, the bots."""

from benchmarks import bots, engine, frames, judge, largest, server, together
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
    server.main()
    print()
    together.main()
    print()
    frames.main()
    print()
    bots.main()
