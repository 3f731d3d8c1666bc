"""Several worker processes of one server: the supervisor, and handing a connection to another worker."""
