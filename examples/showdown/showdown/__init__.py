"""Showdown: an action deck for Wild-West role-playing."""
