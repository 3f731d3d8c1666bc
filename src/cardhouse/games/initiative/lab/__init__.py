"""Card initiative in the lab: questions, trials by the rules, and exact results."""
