"""`python -m memassay`: the same as the console script."""

from memassay.cli import main

if __name__ == "__main__":
    main()
