"""Taking a vault in: what is new, what has changed, and nothing else."""

import os
from collections.abc import Iterator, Sequence
from itertools import batched
from pathlib import Path, PurePosixPath
