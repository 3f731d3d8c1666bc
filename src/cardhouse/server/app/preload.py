"""The modules loaded before worker processes are forked."""

import gc
import signal

from cardhouse.server.app.lifecycle import load_games

# A service manager sends SIGTERM to all processes at once; this one must outlive the workers.
signal.signal(signal.SIGTERM, signal.SIG_IGN)
load_games()
gc.collect()
gc.freeze()  # otherwise the collector would write to memory shared with the workers
