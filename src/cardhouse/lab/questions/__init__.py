"""What is asked: questions, their settings, variants of the rules, and what an answer is."""
