"""How fast Cardhouse is: each figure is compared with a baseline measured in the same run."""
