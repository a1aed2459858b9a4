"""Quality and speed, beside floors, in one run. Not installed: run from a checkout with `python -m bench.<name>`."""
