"""Who may do how much: keys, rate limits and quotas."""
