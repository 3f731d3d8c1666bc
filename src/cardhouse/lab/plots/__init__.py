"""Plots and pictures of results."""
