"""The parts of staging that every backend needs, independent of graphs and arrays."""
