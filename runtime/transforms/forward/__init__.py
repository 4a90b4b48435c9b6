"""Forward-mode differentiation."""
