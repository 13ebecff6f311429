"""Blank out the text of tiers 2 and 3 in the training arrays, so that only tier 1 travels and trains."""

import numpy as np, sys

z = dict(np.load(sys.argv[1]))
off = np.concatenate([[0], np.cumsum(z["len"].astype(np.int64))])
blank = np.zeros(len(z["len"]), bool)
for b, e, _, tier, _ in z["groups"]:
    blank[b:e] |= tier > 1
_, _, _, first, n = z["places"]
wide = np.flatnonzero(z["pair.tier"] > 1)
blank[first + wide] = blank[first + n + wide] = True
used = np.zeros(len(blank), bool)
used[z["use.item"]] = True
print("blank items", blank.sum(), "of them used as targets", (blank & used).sum())
z["flat"][np.repeat(blank, z["len"])] = 0
tier = z["q.tier"] > 1
print("blank questions", tier.sum(), (tier[z["use.query"]]).sum())
z["q.flat"][np.repeat(tier, z["q.len"])] = 0
np.savez(sys.argv[2], **z)
