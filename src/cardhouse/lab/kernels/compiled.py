"""How kernels become machine code, and where it is kept between runs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from cardhouse.lab.folders import cache_folder

Function = TypeVar("Function", bound=Callable[..., Any])


def kept_in() -> Path:
    """The folder for machine code of just these kernels.

    It is named after their sources: Numba by itself would go on with old code where only a function has changed that
    is called from another file.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return cache_folder() / f"kernels-{digest.hexdigest()[:16]}"


def _can_keep() -> bool:
    """Have that folder made; without a place to keep it, machine code is made anew in each run."""
    folder = kept_in()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    vars(numba.config)["CACHE_DIR"] = str(folder)
    return os.access(folder, os.W_OK)


CAN_KEEP = _can_keep()


def compiled(function: Function) -> Function:
    """This function as machine code, made when it is first called; it runs beside others on several threads."""
    return cast(Function, numba.njit(nogil=True, cache=CAN_KEEP, error_model="numpy")(function))
