"""Whole trials as machine code: the rules' own numbers and tables, run millions of times.

A kernel is a function `kernel(tables..., seed, first, out, log)`. It plays the trials `first`, `first + 1`, ... and
writes each result into a row of `out`, an int16 array with a column for each measure of its question. All chance of a
trial comes from its own stream, keyed by (seed, trial), so that a row is bit-identical whichever thread, chunk or
machine played it.

`log` is None, or an int16 array for the chance of a single trial, in the order in which the rules ask for it (see
`note`); `cardhouse.lab.questions.proof` replays that trial by the rules. With None, the compiled code contains none of
this.
"""
