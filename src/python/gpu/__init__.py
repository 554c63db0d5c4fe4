"""What code is told of a GPU that is not there: shared by those that record and those that check."""
