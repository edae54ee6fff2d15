"""The command line: every value of the pages, as JSON or as plain text. It speaks English."""
