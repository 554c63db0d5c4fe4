"""Failures that have a name of their own in the reply."""


class NotRecordable(Exception):
    """The module may be right, but a recording cannot hold what it does."""


class OverBudget(Exception):
    """The recording would be larger than is allowed."""


class TaskError(Exception):
    """The task file is not in a form that can be recorded: its owner must fix it."""


class CandidateError(Exception):
    """The candidate file does not define what was asked for."""
