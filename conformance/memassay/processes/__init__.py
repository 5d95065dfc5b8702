"""Several real processes of one implementation on one directory, step by step."""
