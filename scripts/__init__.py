"""Programs for working on Cardhouse; not part of the package."""
