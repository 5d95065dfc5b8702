"""Questions that nobody wrote down, put to two implementations until they disagree."""
