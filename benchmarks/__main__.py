"""All of `make bench`: the engine and start-up, the judge, the largest pack, then the server."""

from benchmarks import engine, judge, largest, server

if __name__ == "__main__":
    engine.main()
    print()
    judge.main()
    print()
    largest.main()
    print()
    server.main()
