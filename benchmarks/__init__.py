"""How fast Cardhouse is, each figure beside a baseline that was measured in the same run."""
