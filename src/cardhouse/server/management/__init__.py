"""All tables of a server: creating, closing and deleting them, campaigns, announcements, retention."""
