"""The people of the town: their sheets, what they may begin with, and how they come and go."""
