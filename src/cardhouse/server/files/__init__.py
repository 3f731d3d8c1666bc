"""Files that the page sends or fetches: forms, checked uploads, pictures and printouts."""
