"""Whole trials as machine code: the rules' own numbers and tables, run millions of times.

A kernel is a function `kernel(tables..., seed, first, out, log)`. It plays the trials `first`, `first + 1`, ... and
writes what came of each into a row of `out`, an array of int16 with a column for each measure of its question. All
chance of a trial comes from a stream of its own, keyed by (seed, trial) and made anew at its beginning, so that a row
is the same to the bit whichever thread, chunk or machine it was played on.

`log` is None, or an array of int16 into which the chance of one single trial is written in the order in which the rules
ask for it (see `note`); `cardhouse.lab.questions.proof` plays that trial again by the rules. With None, nothing of it
is left in the machine code.
"""
