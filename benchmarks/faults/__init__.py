"""Deliberate faults: servers, stores and clocks fail while people play, and every history is checked afterwards."""
