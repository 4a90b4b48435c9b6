"""Reports for people: which lines can be staged, what they call, and why staging failed."""
