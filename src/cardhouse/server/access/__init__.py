"""Access: keys, rate limits, quotas and turns of uploads."""
