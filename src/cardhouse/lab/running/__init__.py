"""Who plays the trials: workers, processes, checkpoints and warm-up."""
