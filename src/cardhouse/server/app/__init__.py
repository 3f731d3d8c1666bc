"""Starting and stopping a server: the application, its lifecycle, preloading and metrics."""
