"""Train one encoder for English and Korean from the present one.

python train.py --data FOLDER --out FOLDER [--ta SECONDS] [--tb SECONDS] [--start STAGE_A.npz] [--smoke 1]

Stage a: new Korean pieces begin as mixtures of their aligned English ones, and both languages are
pulled to the frozen present model (the anchor) and to similarities of the multilingual encoder.
Stage b: questions to short items (dialogue, notes) and to long technical windows; losses on the
vector, on tokens and on their sum with BM25; the anchor's own ranking of technical text is a target.
Then mix.py mixes the weights of a and b.
"""

import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from network import *

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--keep", default="", help="folder on the device for weights between runs")
parser.add_argument("--tag", default="run")
parser.add_argument("--tier", type=int, default=1)
parser.add_argument("--ta", type=float, default=120)
parser.add_argument("--tb", type=float, default=220)
parser.add_argument("--lra", type=float, default=2e-4)
parser.add_argument("--lrb", type=float, default=6e-5)
parser.add_argument("--start", default="")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--fused", type=float, default=0.5)
parser.add_argument("--technical", type=float, default=1.0)
parser.add_argument("--anchor", type=float, default=0.7)
parser.add_argument("--soft", type=float, default=1.0)
parser.add_argument("--long", type=float, default=0.3)
parser.add_argument("--templates", type=float, default=1.0)
parser.add_argument("--own", type=float, default=8.0)
parser.add_argument("--use", type=float, default=0.6)
parser.add_argument("--tokens", type=float, default=0.4)
parser.add_argument("--smoke", type=int, default=0)
A, _ = parser.parse_known_args()
SM = A.smoke
os.makedirs(A.out, exist_ok=True)
keep = A.keep or A.out
os.makedirs(keep, exist_ok=True)
torch.manual_seed(A.seed)
rng = np.random.default_rng(A.seed)
torch.backends.cuda.matmul.allow_tf32 = True

z = dict(np.load(f"{A.data}/train.npz"))
V = len(open(f"{A.data}/vocab.txt", encoding="utf8").read().split("\n")) - 1
log("data read", V, "pieces", vars(A))

# One long array of tokens; a text is a place and a length in it.
names = ("", "q.", "te.", "tk.", "d.")
base, at = {}, 0
for n in names:
    base[n] = at
    at += len(z[n + "flat"])
flat = torch.as_tensor(
    np.concatenate([z[n + "flat"] for n in names] + [np.zeros(1, np.uint16)]).astype(np.int32),
    device=device,
)


def places(n):
    length = z[n + "len"].astype(np.int64)
    return base[n] + np.concatenate([[0], np.cumsum(length)[:-1]]), length


off, ln = places("")
q_off, q_ln = places("q.")
te_off, te_ln = places("te.")
tk_off, tk_ln = places("tk.")
d_off, d_ln = places("d.")
off, ln = np.append(off, off[-1] + ln[-1]), np.append(ln, 0)
G = z["groups"]
EN, KO, NT, PK, NP = (int(x) for x in z["places"])
PE = PK + NP
group_of = np.repeat(np.arange(len(G)), G[:, 1] - G[:, 0])
same = z["same"]

# ---------- questions of the tiers allowed
ok = z["q.tier"] <= A.tier
starts = np.concatenate([[0], np.cumsum(z["q.count"].astype(np.int64))[:-1]])
Q = np.flatnonzero(ok)
if SM:
    g_ = G[z["q.group"][Q]]
    Q = Q[g_[:, 1] - g_[:, 0] < 30]
    Q = Q[:: len(Q) // 40]
sources = G[z["q.group"][Q], 4]
QW = z["q.weight"][Q].astype(np.float64)
template_source = json.load(open(f"{A.data}/digests.json"))["sources"].index("templates")
QW[sources == template_source] *= A.templates
QP = [z["q.pos"][starts[i] : starts[i] + z["q.count"][i]] for i in Q]
QG, QK = z["q.group"][Q], z["q.weak"][Q].astype(bool)
POS = np.full((len(Q), 24), -1, np.int64)
LO, HI = np.empty(len(Q), np.int64), np.empty(len(Q), np.int64)
for r, p in enumerate(QP):
    POS[r, : min(24, len(p))] = p[:24]
    LO[r], HI[r] = p.min(), p.max()
used = np.zeros(len(G), bool)
used[np.unique(QG)] = True
docs = np.flatnonzero(used[group_of])  # the items questions may be asked of
log(
    "questions",
    len(Q),
    "items",
    len(docs),
    "weight by source",
    {
        json.load(open(f"{A.data}/digests.json"))["sources"][s]: round(
            float(QW[sources == s].sum())
        )
        for s in np.unique(sources)
    },
)

T_kind, T_at = z["t.kind"], z["t.at"].astype(np.int64)
T_rows = np.arange(len(T_kind))
if SM:
    T_rows = T_rows[T_at < 200]
T_weight = np.where(T_kind[T_rows] == 0, 1.5, np.where(T_kind[T_rows] == 1, 0.6, 0.6))
T_weight /= T_weight.sum()

# ---------- models
anchor = load(f"{A.data}/present.npz").eval()
for p in anchor.parameters():
    p.requires_grad_(False)
net = load(f"{A.data}/present.npz", V)


def state(model):
    return {k: v.detach().clone() for k, v in model.state_dict().items()}


def forward(parts, cut=1, model=None, tokens=True, raw=None):
    """Encode texts in groups of like length; the tokens stay in these groups, own ones first."""
    model = model or net
    parts = [
        (torch.as_tensor(s, device=device), torch.as_tensor(n, device=device), o)
        for s, n, o in parts
    ]
    total = sum(p[1] for p in parts)
    order = torch.argsort(total) if cut > 1 else torch.arange(len(total), device=device)
    L = (int(total.max()) + 2 + 7) // 8 * 8
    vec, tok, own, ids = [], [], [], []
    for o in order.chunk(cut):
        i, m, w = build(flat, [(s[o], n[o], x) for s, n, x in parts])
        with amp():
            x, v = model(i, m, w)
            if tokens:
                tok.append((o, *packed(model.tokens(x), w)))
        if raw is not None:
            raw.append((x, v, w, i))
        pad = L - i.shape[1]
        vec.append(v)
        own.append(F.pad(w, (0, pad)))
        ids.append(F.pad(i, (0, pad)))
    back = torch.argsort(order)
    return torch.cat(vec)[back], tok, torch.cat(own)[back], torch.cat(ids)[back]


def packed(t, own):
    """A text's own tokens, padded with its first one; and the positions they had."""
    n = own.sum(1)
    at = torch.argsort((~own).to(torch.int8), dim=1, stable=True)[:, : max(1, int(n.max()))]
    at = torch.where(torch.arange(at.shape[1], device=device)[None] < n[:, None], at, at[:, :1])
    return t.gather(1, at[..., None].expand(-1, -1, t.shape[2])), at


class Best(torch.autograd.Function):
    """The best match of each of M tokens in each of N texts."""

    @staticmethod
    def forward(ctx, q, d):
        M, (N, L, w) = len(q), d.shape
        fine = torch.float16 if device == "cuda" else torch.float32
        a, b = q.detach().to(fine), d.detach().to(fine)
        best = torch.empty(M, N, device=device)
        at = torch.empty(M, N, dtype=torch.long, device=device)
        step = max(1, 1_000_000_000 // (M * L))
        for c in range(0, N, step):
            v, i = (a @ b[c : c + step].reshape(-1, w).T).view(M, -1, L).max(-1)
            best[:, c : c + step] = v
            at[:, c : c + step] = i
        ctx.save_for_backward(q, d, at)
        ctx.step = step
        return best

    @staticmethod
    def backward(ctx, g):
        q, d, at = ctx.saved_tensors
        M, (N, L, w) = len(q), d.shape
        qh, dh = q.detach().to(HALF), d.detach().to(HALF)
        gq = torch.zeros(M, w, device=device)
        gd = torch.empty(N, L, w, device=device)
        for c in range(0, N, ctx.step):
            n = len(d[c : c + ctx.step])
            one = torch.zeros(M, n * L, dtype=HALF, device=device)
            one.scatter_(
                1,
                at[:, c : c + n] + torch.arange(n, device=device)[None] * L,
                g[:, c : c + n].to(HALF),
            )
            gq += (one @ dh[c : c + n].reshape(-1, w)).float()
            gd[c : c + n] = (one.T @ qh).view(n, L, w).float()
        return gq.to(q.dtype), gd.to(d.dtype)


def late(asked, weight, own, texts, count):
    """Every question's tokens against every text's: best match of each, weighed; [questions, count]."""
    q, w, row = [], [], []
    for o, t, at in asked:
        n = own[o].sum(1)
        real = torch.arange(t.shape[1], device=device)[None] < n[:, None]
        q.append(t[real])
        w.append(weight[o].gather(1, at)[real])
        row.append(o[:, None].expand_as(real)[real])
    q, w, row = torch.cat(q), torch.cat(w).float(), torch.cat(row)
    best = torch.cat([Best.apply(q, t) for _, t, _ in texts], 1)[
        :, torch.argsort(torch.cat([o for o, _, _ in texts]))
    ][:, :count]
    total = torch.zeros(len(own), device=device).index_add_(0, row, w).clamp(min=1e-6)
    return (
        torch.zeros(len(own), best.shape[1], device=device).index_add(0, row, best * w[:, None])
        / total[:, None]
    )


# How rare each piece is, over a sample of items.
allowed = np.flatnonzero((G[group_of, 3] <= A.tier) & (ln[:-1] > 0))
sample = rng.choice(allowed, 400 if SM else 60000, replace=False)
IDF = torch.zeros(V + 2, device=device)
for c in np.array_split(sample, max(1, len(sample) // 2000)):
    ids, _, own = build(
        flat,
        [(torch.as_tensor(off[c], device=device), torch.as_tensor(ln[c], device=device), True)],
    )
    seen = torch.zeros(len(c), V + 2, dtype=torch.bool, device=device)
    seen[torch.arange(len(c), device=device)[:, None].expand_as(ids)[own], ids[own]] = True
    IDF += seen.sum(0)
IDF = torch.log(1 + (len(sample) - IDF + 0.5) / (IDF + 0.5))


def words(q_ids, q_own, d_ids, d_own):
    """BM25 over pieces, all questions against all texts."""
    bag = torch.zeros(len(d_ids), V + 2, device=device, dtype=HALF)
    bag.scatter_add_(1, torch.where(d_own, d_ids, V + 1), torch.ones_like(d_ids, dtype=HALF))
    bag[:, V + 1] = 0
    n = d_own.sum(1, keepdim=True).float()
    bag = bag * 2.2 / (bag + (1.2 * (0.25 + 0.75 * n / n.mean())).to(bag.dtype))
    ask = torch.zeros(len(q_ids), V + 2, device=device, dtype=HALF)
    ask.scatter_(1, torch.where(q_own, q_ids, V + 1), 1)
    ask[:, V + 1] = 0
    return ((ask * IDF.to(ask.dtype)) @ bag.T).float()


# ---------- pairs of languages, and targets
pair_k = np.concatenate([KO + np.arange(NT), PK + np.arange(NP)])
pair_e = np.concatenate([EN + np.arange(NT), PE + np.arange(NP)])
good = (
    np.concatenate([np.ones(NT, bool), z["pair.tier"] <= A.tier])
    & (ln[pair_k] > 0)
    & (ln[pair_e] > 0)
)
pair_w = np.concatenate([np.ones(NT), np.where(z["pair.tier"] == 1, A.own, 4.0)])[good]
pair_k, pair_e = pair_k[good], pair_e[good]
pair_w /= pair_w.sum()
if SM:
    pair_k, pair_e, pair_w = pair_k[-60:], pair_e[-60:], np.ones(60) / 60
U = torch.as_tensor(np.load(f"{A.data}/use.npz")["v"].astype(np.float32), device=device)
U = F.normalize(U, dim=-1)
U_off = np.concatenate([off[z["use.item"]], q_off[z["use.query"]]])
U_ln = np.concatenate([ln[z["use.item"]], q_ln[z["use.query"]]])
korean_ = np.concatenate([[0], np.cumsum(flat.cpu().numpy() >= WORDS_BASE)])
U_ko = (korean_[U_off + U_ln] - korean_[U_off]) > 0.3 * U_ln
U_k, U_e = np.flatnonzero(U_ko & (U_ln > 0)), np.flatnonzero(~U_ko & (U_ln > 0))
log("pairs", len(pair_k), "targets", len(U_k), len(U_e))


def begin_pieces():
    """New rows: the mixture of the four English pieces that each Korean piece translates best (IBM model 1)."""
    E, new = anchor.w.weight, V - WORDS_BASE
    table = None
    short = (ln[pair_k] <= 60) & (ln[pair_e] <= 60)
    K, EE = pair_k[short], pair_e[short]
    for _ in range(1 if SM else 4):
        nxt = torch.zeros(new, WORDS_BASE, device=device)
        for i in range(0, len(K), 512):
            a, _, ao = build(
                flat,
                [
                    (
                        torch.as_tensor(off[K[i : i + 512]], device=device),
                        torch.as_tensor(ln[K[i : i + 512]], device=device),
                        True,
                    )
                ],
            )
            b, _, bo = build(
                flat,
                [
                    (
                        torch.as_tensor(off[EE[i : i + 512]], device=device),
                        torch.as_tensor(ln[EE[i : i + 512]], device=device),
                        True,
                    )
                ],
            )
            a = a - WORDS_BASE
            both = (ao & (a >= 0))[:, :, None] & (bo & (b < WORDS_BASE))[:, None, :]
            index = (
                a.clamp(min=0)[:, :, None] * WORDS_BASE + b.clamp(max=WORDS_BASE - 1)[:, None, :]
            )
            share = (
                table.view(-1)[index]
                if table is not None
                else torch.ones_like(index, dtype=torch.float32)
            ) * both
            share = share / share.sum(1, keepdim=True).clamp(min=1e-9)
            far = share > 1e-3
            nxt.view(-1).index_add_(0, index[far], share[far])
        column = nxt.sum(0, keepdim=True).clamp(min=1)
        table = nxt / nxt.sum(1, keepdim=True).clamp(min=1e-9)
    count = nxt.sum(1)
    top, which = (table * (1 / column).pow(0.3)).topk(4, dim=1)
    weight = top / top.sum(1, keepdim=True).clamp(min=1e-9)
    rows = (E[which] * weight[..., None]).sum(1)
    norm = E[1000:].norm(dim=1).mean()
    rows = torch.where(
        (count > 0)[:, None],
        rows / rows.norm(dim=1, keepdim=True).clamp(min=1e-6) * norm,
        E[1000:].mean(0)[None] + 0.02 * torch.randn_like(rows),
    )
    with torch.no_grad():
        net.w.weight[WORDS_BASE:] = rows


def optimiser(lr, lr_words):
    head = [net.proj.weight, net.scales]
    special = {id(p) for p in [net.w.weight, *head]}
    return torch.optim.AdamW(
        [
            {"params": [net.w.weight], "lr": lr_words, "weight_decay": 0.0},
            {"params": head, "lr": lr * 5, "weight_decay": 0.0},
            {
                "params": [p for p in net.parameters() if id(p) not in special],
                "lr": lr,
                "weight_decay": 0.01,
            },
        ],
        betas=(0.9, 0.98),
        fused=device == "cuda",
    )


def schedule(o, f, warm=0.06):
    s = min(1, f / warm) * (0.5 * (1 + math.cos(math.pi * min(1, f))) * 0.97 + 0.03)
    for g in o.param_groups:
        g["lr"] = g.setdefault("base", g["lr"]) * s


def nce(logits, bad=None):
    lab = torch.arange(len(logits), device=device)
    return F.cross_entropy(logits if bad is None else logits.masked_fill(bad, -1e4), lab)


def spread(x, y):
    return F.kl_div(
        F.log_softmax(x, 1), F.log_softmax(y, 1), log_target=True, reduction="batchmean"
    )


def item(i, cap):
    return (off[i], np.minimum(ln[i], cap), True)


def aligned(n):
    i = rng.choice(len(pair_k), n, p=pair_w)
    k, e = pair_k[i], pair_e[i]
    vk, tk, ok_, _ = forward([item(k, 96)], 2)
    ve, te, oe, ie = forward([item(e, 96)], 2)
    with torch.no_grad():
        va, _, _, _ = forward([item(e, 96)], 2, anchor, tokens=False)
    lab = torch.arange(n, device=device)
    s = torch.as_tensor(same[e], device=device)
    dup = (s[:, None] == s[None]) & (lab[:, None] != lab[None])
    lo = net.scales[0].exp().clamp(max=60) * vk @ ve.T
    both = (nce(lo, dup) + nce(lo.T, dup)) / 2
    near = (1 - (vk * va).sum(1)).mean() + (1 - (ve * va).sum(1)).mean()
    s2 = net.scales[1].exp().clamp(max=100)
    l1 = s2 * late(tk, ok_.float(), ok_, te, n)
    l2 = s2 * late(te, oe.float(), oe, tk, n)
    return both, near, (nce(l1, dup) + nce(l2, dup)) / 2, e


def targets(n):
    i, j = (
        rng.choice(U_k, min(n, len(U_k)), replace=False),
        rng.choice(U_e, min(n, len(U_e)), replace=False),
    )
    a, _, _, _ = forward([(U_off[i], np.minimum(U_ln[i], 64), True)], 2, tokens=False)
    b, _, _, _ = forward([(U_off[j], np.minimum(U_ln[j], 64), True)], 2, tokens=False)
    b = b.detach()
    ua, ub = U[i], U[j]
    eye = torch.eye(len(i), device=device, dtype=torch.bool)
    return spread(a @ b.T / 0.06, ua @ ub.T / 0.08) + spread(
        (a @ a.T / 0.06).masked_fill(eye, -1e4), (ua @ ua.T / 0.08).masked_fill(eye, -1e4)
    )


def token_anchor(e):
    """Token outputs stay near the anchor's."""
    ids, mask, own = build(
        flat,
        [
            (
                torch.as_tensor(off[e], device=device),
                torch.as_tensor(np.minimum(ln[e], 96), device=device),
                True,
            )
        ],
    )
    with amp():
        x = net.body(ids, mask)
    with torch.no_grad(), amp():
        y = anchor.body(ids, mask)
    return (1 - F.cosine_similarity(x.float(), y.float(), dim=-1))[own].mean()


def item_anchor(n):
    """Items of every kind, behind their predecessors and dates, stay where the anchor has them."""
    D = rng.choice(docs, n)
    parts, _, _ = dressed(D, 0.0)
    ids, mask, own = build(
        flat,
        [
            (torch.as_tensor(s, device=device), torch.as_tensor(l, device=device), w)
            for s, l, w in parts
        ],
    )
    with amp():
        x, v = net(ids, mask, own)
    with torch.no_grad(), amp():
        y, va = anchor(ids, mask, own)
    e = (ids < WORDS_BASE).all(1)
    tokens = (1 - F.cosine_similarity(x.float(), y.float(), dim=-1)) * own * e[:, None]
    return ((1 - (v * va).sum(1)) * e).sum() / e.sum().clamp(min=1) + tokens.sum() / (
        own * e[:, None]
    ).sum().clamp(min=1)


def dressed(D, long):
    """Items behind their predecessor and perhaps a date; some as long windows around them."""
    g = G[group_of[D]]
    n = len(D)
    is_long = rng.random(n) < long
    size = rng.choice((120, 180, 240), n)
    first = np.maximum(g[:, 0], D - rng.integers(0, 5, n))
    first = np.where(off[D] + ln[D] - off[first] > size, D, first)
    last = np.minimum(g[:, 1] - 1, D + rng.integers(0, 9, n))
    prev = np.where((D > g[:, 0]) & (g[:, 2] == 1) & (rng.random(n) > 0.15) & ~is_long, D - 1, -1)
    c = np.where(prev >= 0, np.minimum(ln[prev], 32), 0)
    parts = [(np.where(prev >= 0, off[prev] + ln[prev] - c, 0), c, False)]
    if rng.random() < 0.35:
        i = rng.integers(*((0, 864) if rng.random() < 0.5 else (864, len(d_ln))), n)
        parts.append((d_off[i], np.minimum(d_ln[i], 13), True))
    parts.append(
        (
            np.where(is_long, off[first], off[D]),
            np.where(
                is_long, np.minimum(off[last] + ln[last] - off[first], size), np.minimum(ln[D], 80)
            ),
            True,
        )
    )
    return parts, np.where(is_long, first, D), np.where(is_long, last, D)


def stage_a(seconds):
    o = optimiser(A.lra, 1e-3)
    begin = time.time()
    steps = 0
    net.train()
    while time.time() - begin < seconds and not (SM and steps >= 2):
        schedule(o, (time.time() - begin) / seconds)
        both, near, tl, e = aligned(8 if SM else 1024)
        ta = token_anchor(e[:256])
        ul = targets(8 if SM else 448)
        ia = item_anchor(8 if SM else 512)
        loss = both + 3 * near + 0.5 * tl + ta + 0.5 * ul + 3 * ia
        o.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        o.step()
        steps += 1
        if steps % 100 == 1:
            log(
                "a",
                steps,
                f"pairs {both.item():.3f} anchor {near.item():.3f} late {tl.item():.3f} tokens {ta.item():.3f} items {ia.item():.3f} use {ul.item():.3f}",
            )
    log("stage a steps", steps)


# ---------- stage b
def fetch(i):
    return [(off[i], ln[i], True)]


NEG = BEST = T_NEG = None


def row_tokens(vectors, chunks, ids=False):
    """The own tokens of all rows one after another, and where each row begins."""
    n = torch.zeros(len(vectors), dtype=torch.long, device=device)
    for o, _, own, _ in chunks:
        n[o] = own.sum(1)
    at = torch.cat([n.new_zeros(1), n.cumsum(0)])
    out = torch.empty(int(at[-1]), 128, dtype=HALF, device=device)
    names = torch.empty(int(at[-1]), dtype=torch.long, device=device)
    for o, t, own, i in chunks:
        place = (at[o][:, None] + own.cumsum(1) - 1)[own]
        out[place] = t[own].to(HALF)
        names[place] = i[own]
    return (out, at.cpu().numpy(), names) if ids else (out, at.cpu().numpy())


def both_legs(rows, b, e, asked, texts):
    """Vector and tokens of one group, in standard scores."""
    qv, qt, q_at, weight = asked
    dv, dt, d_at = texts
    out = []
    size = torch.as_tensor(np.diff(d_at[b : e + 1]), device=device)
    owner = torch.repeat_interleave(torch.arange(e - b, device=device), size)
    t = dt[d_at[b] : d_at[e]]
    for part in np.array_split(rows, 1 + len(rows) * 16 * len(t) // 1_000_000_000):
        n = q_at[part + 1] - q_at[part]
        at = torch.as_tensor(
            np.concatenate([np.arange(q_at[i], q_at[i + 1]) for i in part]), device=device
        )
        row = torch.as_tensor(np.repeat(np.arange(len(part)), n), device=device)
        s = (qt[at] @ t.T).float()
        best = torch.zeros(len(s), e - b, device=device).scatter_reduce(
            1, owner[None].expand(len(s), -1), s, "amax", include_self=False
        )
        tok = torch.zeros(len(part), e - b, device=device).index_add_(
            0, row, best * weight[at][:, None]
        )
        out.append(standard((qv[part] @ dv[b:e].T).float()) + standard(tok) if e - b > 1 else tok)
    return torch.cat(out)


def mine():
    """Hard negatives: of the question's own group and of everywhere; the best items of a span."""
    global NEG, BEST, T_NEG
    begin = time.time()
    net.eval()
    prev = np.where((docs > G[group_of[docs], 0]) & (G[group_of[docs], 2] == 1), docs - 1, -1)
    c = np.where(prev >= 0, np.minimum(ln[prev], 32), 0)
    dv = encode(
        net,
        flat,
        [
            (np.where(prev >= 0, off[prev] + ln[prev] - c, 0), c, False),
            (off[docs], np.minimum(ln[docs], 96), True),
        ],
        tokens=True,
    )
    dv, (dt, d_at) = dv[0].to(HALF), row_tokens(*dv)
    qv = encode(net, flat, [(q_off[Q], np.minimum(q_ln[Q], 64), True)], tokens=True)
    qv, (qt, q_at, q_id) = qv[0].to(HALF), row_tokens(*qv, ids=True)
    q_weight = IDF[q_id]
    row_of = np.full(len(group_of), -1)
    row_of[docs] = np.arange(len(docs))
    NEG = rng.choice(docs, (len(Q), 16))
    BEST = np.empty((len(Q), 4), np.int64)
    order = np.argsort(QG, kind="stable")
    cuts = np.flatnonzero(np.diff(QG[order])) + 1
    for rows in np.split(order, cuts):
        b, e = G[QG[rows[0]], :2]
        s = both_legs(rows, row_of[b], row_of[b] + e - b, (qv, qt, q_at, q_weight), (dv, dt, d_at))
        top = s.topk(min(e - b, 24), dim=1).indices.cpu().numpy() + b
        sc = s.float().cpu().numpy()
        row, like = top.tolist(), same[b:e].tolist()
        for r, i in enumerate(rows):
            p = QP[i]
            p = p[np.argsort(-sc[r][p - b])][: 3 if len(p) > 6 else 1] if QK[i] else p[:4]
            BEST[i] = np.resize(p, 4)
            own, alike = set(QP[i].tolist()), set(same[QP[i]].tolist())
            n = [
                x
                for x in row[r]
                if not (LO[i] <= x <= HI[i] if QK[i] else x in own or like[x - b] in alike)
            ][:11]
            NEG[i, : len(n)] = n
    pool = rng.choice(len(docs), min(len(docs), 60000), replace=False)
    pv = dv[torch.as_tensor(pool, device=device)]
    for i in range(0, len(Q), 4096):
        top = docs[pool[(qv[i : i + 4096] @ pv.T).topk(10, dim=1).indices[:, 2:].cpu().numpy()]]
        for r in range(len(top)):
            n = [x for x in top[r] if group_of[x] != QG[i + r]][:5]
            NEG[i + r, 11 : 11 + len(n)] = n
    # Windows of technical text that begin at each paragraph.
    sub = np.arange(NT) if not SM else np.arange(210)
    wv = encode(
        net,
        flat,
        [
            (
                off[EN + sub],
                np.minimum(off[np.minimum(EN + sub + 6, EN + NT - 1)] - off[EN + sub], 120),
                True,
            )
        ],
    ).to(HALF)
    tv = encode(net, flat, [(te_off[T_rows], np.minimum(te_ln[T_rows], 64), True)]).to(HALF)
    T_NEG = rng.integers(0, NT - 1, (len(T_rows), 8))
    for i in range(0, len(T_rows), 4096):
        a = T_at[T_rows[i : i + 4096]]
        a2 = np.minimum(a + (T_kind[T_rows[i : i + 4096]] == 0), len(sub) - 1)
        s = tv[i : i + 4096] @ wv.T
        mine_ = s[torch.arange(len(a), device=device), torch.as_tensor(a2, device=device)]
        v, t = s.topk(min(40, len(sub)), dim=1)
        t = t.cpu().numpy()
        fine = (v < 0.95 * mine_[:, None]).cpu().numpy() & (np.abs(t - a[:, None]) > 8)
        for r in range(len(a)):
            n = t[r][fine[r]][:8]
            T_NEG[i + r, : len(n)] = n
    net.train()
    log("mined", round(time.time() - begin, 1))


def short_batch(B, negatives):
    """Questions to items; a part of the steps asks for long windows around the item."""
    r = rng.choice(len(Q), B, p=P, replace=False)
    pos = BEST[r, rng.integers(0, 4, B)]
    neg = NEG[r[:, None], rng.integers(0, 16, (B, negatives))]
    D = np.concatenate([pos, neg.reshape(-1)])
    parts, low, high = dressed(D, A.long)
    Dt = torch.as_tensor(D, device=device)
    S = torch.as_tensor(same[D], device=device)
    bad = S[None] == S[:B, None]
    # A text that holds a right item is not wrong.
    pp, low, high = (torch.as_tensor(x, device=device) for x in (POS[r], low, high))
    for c in range(0, 24, 8):
        bad |= ((pp[:, c : c + 8, None] >= low) & (pp[:, c : c + 8, None] <= high)).any(1)
    weak, lo, hi = (torch.as_tensor(x, device=device)[:, None] for x in (QK[r], LO[r], HI[r]))
    bad |= weak & (high[None] >= lo) & (low[None] <= hi)
    bad[torch.arange(B), torch.arange(B)] = False
    return (q_off[Q[r]], np.minimum(q_ln[Q[r]], 48), True), parts, bad, D


def technical_batch(B):
    """Headings, words and paragraphs to windows of technical text, within and across languages."""
    r = rng.choice(len(T_rows), B, p=T_weight, replace=False)
    t = T_rows[r]
    size = rng.choice((40, 100, 180, 250), 2 * B, p=(0.25, 0.25, 0.25, 0.25))
    at_ = T_at[t] + (T_kind[t] == 0)
    at_ = np.concatenate([at_, T_NEG[r, rng.integers(0, 8, B)]])
    back = np.where(
        np.concatenate([T_kind[t] == 0, np.zeros(B, bool)]), 0, rng.integers(0, 4, 2 * B)
    )
    first = np.maximum(0, at_ - back)
    need = np.minimum(ln[EN + at_], 100)
    first = np.where(off[EN + at_] + need - off[EN + first] > size, at_, first)
    last = np.minimum(at_ + 8, NT - 1)

    def window(stream):
        return (
            off[stream + first],
            np.minimum(off[stream + last] + ln[stream + last] - off[stream + first], size),
            True,
        )

    asks_k = rng.random(B) < np.where(T_kind[t] == 2, 0.5, 0.25)
    gives_k = np.where(T_kind[t] == 2, ~asks_k, rng.random(B) < np.where(asks_k, 0.5, 0.15))
    gives_k = np.concatenate([gives_k, gives_k])
    we, wk = window(EN), window(KO)
    doc = (np.where(gives_k, wk[0], we[0]), np.where(gives_k, wk[1], we[1]), True)
    ask = (
        np.where(asks_k, tk_off[t], te_off[t]),
        np.minimum(np.where(asks_k, tk_ln[t], te_ln[t]), 64),
        True,
    )
    ask_e = (te_off[t], np.minimum(te_ln[t], 64), True)
    f, a0 = torch.as_tensor(first, device=device), torch.as_tensor(at_, device=device)
    bad = (a0[None] - a0[:B, None]).abs() <= 8
    sm = torch.as_tensor(same[EN + at_], device=device)
    bad |= sm[None] == sm[:B, None]
    bad[torch.arange(B), torch.arange(B)] = False
    return ask, doc, ask_e, we, bad, ~gives_k


def join(a, b):
    return (np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]]), a[2])


def near_anchor(raw):
    """How far the vectors and the token outputs of English texts are from the anchor's; a fifth of the texts."""
    vectors = tokens = texts = count = 0.0
    for x, v, own, ids in raw:
        k = torch.as_tensor(rng.permutation(len(ids))[: max(1, len(ids) // 5)], device=device)
        i, w = ids[k], own[k]
        with torch.no_grad(), amp():
            y, va = anchor(i, i != 0, w)
        e = (i < WORDS_BASE).all(1)
        m = w & e[:, None]
        vectors = vectors + ((1 - (v[k] * va).sum(1)) * e).sum()
        tokens = tokens + ((1 - F.cosine_similarity(x[k].float(), y.float(), dim=-1)) * m).sum()
        texts = texts + e.sum()
        count = count + m.sum()
    return vectors / texts.clamp(min=1), tokens / count.clamp(min=1)


def stage_b(seconds):
    global P
    P = QW / QW.sum()
    o = optimiser(A.lrb, 2e-4)
    begin = time.time()
    steps = 0
    again = False
    ema = None
    B, BT = (8, 6) if SM else (384, 256)
    mine()
    while time.time() - begin < seconds and not (SM and steps >= 3):
        f = (time.time() - begin) / seconds
        schedule(o, f)
        if f > 0.45 and not again and not SM:
            again = True
            mine()
        o.zero_grad()
        report = {}
        # Questions to items and to technical windows: every text is wrong for the questions of the other kind.
        ask, parts, bad, D = short_batch(B, 3)
        t_ask, t_doc, t_ask_e, t_doc_e, t_bad, is_e = technical_batch(BT)
        N, T = len(D), 2 * BT
        raw = []
        vq, tq, oq, iq = forward([join(ask, t_ask)], 2)
        vd, td, od, id_ = forward(
            [
                *[
                    join(p, (np.zeros(T, np.int64), np.zeros(T, np.int64), p[2]))
                    for p in parts[:-1]
                ],
                join(parts[-1], t_doc),
            ],
            6,
            raw=raw,
        )
        sv, st = net.scales[0].exp().clamp(max=60), net.scales[1].exp().clamp(max=100)
        wrong = torch.zeros(B + BT, N + T, dtype=torch.bool, device=device)
        wrong[:B, :N] = bad
        wrong[B:, N:] = t_bad
        label = torch.cat([torch.arange(B, device=device), N + torch.arange(BT, device=device)])
        lv = sv * vq @ vd.T
        rt = late(tq, IDF[iq] * oq, oq, td, N + T)
        lt = st * rt
        lw = net.scales[2].exp().clamp(max=0.6) * words(iq, oq, id_, od)
        loss_of = lambda x: F.cross_entropy(x.masked_fill(wrong, -1e4), label, reduction="none")
        weight = torch.cat(
            [
                torch.full((B,), 1 / B, device=device),
                torch.full((BT,), 0.5 * A.technical / BT, device=device),
            ]
        )
        each = {"vec": loss_of(lv), "tok": loss_of(lt), "fused": loss_of(lv + lt + lw)}
        loss = sum(((x * weight).sum()) * (A.fused if k == "fused" else 1) for k, x in each.items())
        report |= {k: x[:B].mean() for k, x in each.items()} | {
            "t" + k: x[B:].mean() for k, x in each.items()
        }
        # The anchor's ranking of technical text, by vectors and by tokens, and its place for items.
        with torch.no_grad():
            aq, atq, aoq, aiq = forward([t_ask_e], 2, anchor)
            ad, atd, _, _ = forward([t_doc_e], 4, anchor)
            art = late(atq, IDF[aiq] * aoq, aoq, atd, T)
        hide = lambda x: x.masked_fill(t_bad, -1e4)
        report["soft"] = spread(hide(vq[B:] @ vd[N:].T / 0.05), hide(aq @ ad.T / 0.05))
        report["tsoft"] = spread(hide(40 * rt[B:, N:]), hide(40 * art))
        report["keep"], report["tkeep"] = near_anchor(raw)
        loss = (
            loss
            + A.anchor * report["keep"]
            + A.tokens * report["tkeep"]
            + A.technical * (A.soft * report["soft"] + A.soft * 0.5 * report["tsoft"])
        )
        loss.backward()
        both, near, tl, _ = aligned(8 if SM else 320)
        ul = targets(8 if SM else 224)
        (both + 1.5 * near + 0.5 * tl + A.use * ul).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        o.step()
        steps += 1
        if f > 0.35:
            if ema is None:
                ema = state(net)
            elif steps % 5 == 0:
                for k, v in net.state_dict().items():
                    ema[k].lerp_(v, 0.03)
        if steps % 50 == 1:
            log(
                "b",
                steps,
                " ".join(f"{k} {v.item():.3f}" for k, v in report.items()),
                f"pairs {both.item():.3f} use {ul.item():.3f} scales",
                [round(x, 2) for x in net.scales.exp().tolist()],
            )
    log("stage b steps", steps)
    return ema or state(net)


if A.start:
    net.load_state_dict({k: v.to(device) for k, v in unpack(A.start).items()}, strict=False)
    log("began with", A.start)
else:
    begin_pieces()
    log("pieces begun")
    stage_a(A.ta)
    pack(net.state_dict(), f"{keep}/stage_a.npz")
if A.tb > 0:
    pack(stage_b(A.tb), f"{keep}/{A.tag}.npz")
log("end")
