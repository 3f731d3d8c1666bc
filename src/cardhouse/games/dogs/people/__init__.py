"""The people of the town: sheets, templates, Fast NPCs and dice notation."""
