"""Attacks on a real server, on loopback, while innocent tables play and are timed: `python -m benchmarks.attacks`.

`innocent` plays and times, `target` is what an attack receives, `measuring` runs one attack and the innocents, and the
other modules are the attacks, by family.
"""
