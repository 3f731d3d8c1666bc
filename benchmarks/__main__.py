"""All of `make bench`: the engine and start-up, then the server."""

from benchmarks import engine, server

if __name__ == "__main__":
    engine.main()
    print()
    server.main()
