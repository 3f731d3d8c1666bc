"""HTTP requests and sockets with long time limits, because a machine that runs other tests may be slow."""

from functools import partial

import httpx
from websockets.sync import client

SECONDS = 60.0
"""A server that says nothing for so long has failed the test."""

get = partial(httpx.get, timeout=SECONDS)
post = partial(httpx.post, timeout=SECONDS)
request = partial(httpx.request, timeout=SECONDS)
Client = partial(httpx.Client, timeout=SECONDS)
connect = partial(client.connect, open_timeout=SECONDS)
