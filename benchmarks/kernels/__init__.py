"""The kernels of the lab, beside the same trials written in other ways."""
