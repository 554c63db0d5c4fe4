"""The table of rules."""

WRONG = ["wrong", "cheated"]
CHEATED = ["cheated"]

# Rules: a function from a pair and random numbers to (code, why, variant), or None where it does not apply; class, kinds, device_only.
RULES = {}


def rule(kind, expect, device_only=False):
    def add(function):
        RULES[function.__name__] = (function, kind, expect, device_only)
        return function
    return add
