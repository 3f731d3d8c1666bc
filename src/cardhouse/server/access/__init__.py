"""Access: keys, rate limits and quotas."""
