"""All of `make bench`: the engine and start-up, the judge, then the server."""

from benchmarks import engine, judge, server

if __name__ == "__main__":
    engine.main()
    print()
    judge.main()
    print()
    server.main()
