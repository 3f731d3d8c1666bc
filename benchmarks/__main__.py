"""All of `make bench`: the engine and start-up, the judge, the largest pack, kernels, the server, dealing together."""

from benchmarks import engine, judge, largest, server, together
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
