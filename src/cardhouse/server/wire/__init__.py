"""Everything that goes over the wire: socket frames and the bodies of HTTP requests and responses."""
