"""What each process of a house has loaded when it begins, if they are copies of one that has loaded it."""

import gc
import signal

from cardhouse.server.app.lifecycle import load_games

# A service manager tells all of them to stop at once; this one is there until the last has.
signal.signal(signal.SIGTERM, signal.SIG_IGN)
load_games()
gc.collect()
gc.freeze()  # the collector would write on what the copies share
