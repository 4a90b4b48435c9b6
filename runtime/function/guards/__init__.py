"""Guards: the conditions under which a recorded graph is valid for a call."""
