"""python mix.py BASE.npz OUT.npz MIX RUN.npz …: (1 - MIX) base + MIX mean(runs)"""

import sys
from network import *

base, runs, mix = unpack(sys.argv[1]), [unpack(r) for r in sys.argv[4:]], float(sys.argv[3])
pack(
    {k: (1 - mix) * v + mix * sum(r[k] for r in runs) / len(runs) for k, v in base.items()},
    sys.argv[2],
)
