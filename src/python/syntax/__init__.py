"""Python's own parser as a service: texts in, syntax trees out. Nothing of a text is executed."""
