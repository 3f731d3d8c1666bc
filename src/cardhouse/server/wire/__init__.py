"""The wire: frames of the socket, and decoding of HTTP request bodies."""
