"""Reports: which lines can be staged, which functions they call, and why staging failed."""
