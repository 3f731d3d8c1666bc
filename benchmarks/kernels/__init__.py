"""The kernels of the lab, compared with the same trials written in other ways."""
