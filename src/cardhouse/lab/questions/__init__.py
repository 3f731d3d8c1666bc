"""Questions of the lab: their settings, variants of the rules, and the form of an answer."""
