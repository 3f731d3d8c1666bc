from cardhouse.engine import Bot
BOTS: dict[str, Bot] = {}
