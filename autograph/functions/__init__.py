"""Function objects: where they come from, how they are rebuilt, how they are called."""
