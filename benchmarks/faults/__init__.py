"""Faults on purpose: servers, stores and clocks fail while people play, and every history is checked afterwards."""
