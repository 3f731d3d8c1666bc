"""Running trials: studies, workers, processes, checkpoints and warm-up."""
