"""`python -m perdure`."""

from __future__ import annotations

from perdure.cli import main

if __name__ == "__main__":
    main()
