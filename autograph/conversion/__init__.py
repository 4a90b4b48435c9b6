"""From a function or a file to its converted form: policy, pipeline and cache."""
