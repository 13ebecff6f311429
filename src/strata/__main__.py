"""`python -m strata` is the command line."""

from strata.cli import main

if __name__ == "__main__":
    main()
