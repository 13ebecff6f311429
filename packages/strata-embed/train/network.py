"""The encoder and its files."""

import math
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CLS, SEP, WORDS_BASE = 101, 102, 30522
device = "cuda" if torch.cuda.is_available() else "cpu"
BEGIN = time.time()


def log(*what):
    print(f"[{time.time() - BEGIN:6.1f}]", *what, flush=True)


HALF = torch.bfloat16 if device == "cuda" else torch.float32


def amp():
    return torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda")


class Layer(nn.Module):
    def __init__(self, d=384, heads=12, wide=1536):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.n1, self.n2 = nn.LayerNorm(d, eps=1e-12), nn.LayerNorm(d, eps=1e-12)
        self.f1, self.f2 = nn.Linear(d, wide), nn.Linear(wide, d)
        self.heads = heads

    def forward(self, x, mask):
        B, L, d = x.shape
        weight = torch.cat([self.q.weight, self.k.weight, self.v.weight])
        bias = torch.cat([self.q.bias, self.k.bias, self.v.bias])
        q, k, v = (
            F.linear(x, weight, bias)
            .view(B, L, 3, self.heads, d // self.heads)
            .permute(2, 0, 3, 1, 4)
        )
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(B, L, d)
        x = self.n1(x + self.o(y))
        return self.n2(x + self.f2(F.gelu(self.f1(x))))


class Encoder(nn.Module):
    def __init__(self, words, layers=6):
        super().__init__()
        self.w, self.p, self.n = (
            nn.Embedding(words, 384),
            nn.Embedding(256, 384),
            nn.LayerNorm(384, eps=1e-12),
        )
        self.l = nn.ModuleList(Layer() for _ in range(layers))
        self.proj = nn.Linear(384, 128, bias=False)
        self.scales = nn.Parameter(torch.tensor([math.log(20.0), math.log(40.0), math.log(0.15)]))

    def body(self, ids, mask, extra=None):
        ids = torch.where(ids >= self.w.num_embeddings, 100, ids)
        x = self.w(ids) + self.p.weight[None, : ids.shape[1]]
        x = self.n(x if extra is None else x + extra)
        mask = mask[:, None, None, :]
        for layer in self.l:
            x = layer(x, mask)
        return x

    def forward(self, ids, mask, own):
        x = self.body(ids, mask)
        o = own.unsqueeze(-1).to(x.dtype)
        return x, F.normalize(((x * o).sum(1) / o.sum(1).clamp(min=1)).float(), dim=-1)

    def tokens(self, x):
        return F.normalize(self.proj(x), dim=-1)


def pack(state, path):
    """Save: tables and matrices as int8 with a scale a row (groups of 64), the rest as float16."""
    out = {}
    for name, value in state.items():
        v = value.detach().float().cpu().numpy()
        if v.ndim == 2 and v.size > 50_000:
            g = v.reshape(v.shape[0], -1, 64)
            s = np.abs(g).max(2, keepdims=True).clip(1e-9) / 127
            out[name + "|q"] = np.rint(g / s).astype(np.int8).reshape(v.shape)
            out[name + "|s"] = s[..., 0].astype(np.float16)
        else:
            out[name] = v.astype(np.float32)
    np.savez(path, **out)


def unpack(path):
    z, out = np.load(path), {}
    for name in z.files:
        if name.endswith("|q"):
            q, s = z[name].astype(np.float32), z[name[:-2] + "|s"].astype(np.float32)
            out[name[:-2]] = torch.tensor(
                (q.reshape(q.shape[0], s.shape[1], -1) * s[..., None]).reshape(q.shape)
            )
        elif not name.endswith("|s"):
            out[name] = torch.tensor(z[name])
    return out


def load(path, words=None):
    state = unpack(path)
    have = len(state["w.weight"])
    words = words or have
    if words > have:
        state["w.weight"] = torch.cat([state["w.weight"], torch.zeros(words - have, 384)])
    net = Encoder(words, sum(k.endswith("n1.weight") for k in state))
    net.load_state_dict(state, strict=False)
    return net.to(device)


def build(flat, parts):
    """Token ids of [first] part part … [last]; a part is (starts, lengths, is own)."""
    total = sum(p[1] for p in parts)
    L = (int(total.max()) + 2 + 7) // 8 * 8
    p = torch.arange(L, device=flat.device)[None]
    at = torch.ones_like(total)
    index = torch.zeros((len(total), L), dtype=torch.long, device=flat.device)
    own = torch.zeros((len(total), L), dtype=torch.bool, device=flat.device)
    text = own.clone()
    for start, length, is_own in parts:
        inside = (p >= at[:, None]) & (p < (at + length)[:, None])
        index = torch.where(inside, (start - at)[:, None] + p, index)
        text |= inside
        if is_own:
            own |= inside
        at = at + length
    ids = torch.where(text, flat[index].long(), 0)
    ids[:, 0] = CLS
    ids = torch.where(p == (total + 1)[:, None], SEP, ids)
    return ids, p <= (total + 1)[:, None], own


@torch.no_grad()
def encode(net, flat, parts, tokens=False, budget=400_000):
    """Vectors of many texts, and int8-like tokens [n, L, 128] with their masks and ids in chunks."""
    parts = [
        (torch.as_tensor(s, device=device), torch.as_tensor(n, device=device), o)
        for s, n, o in parts
    ]
    total = sum(p[1] for p in parts)
    order = torch.argsort(total, descending=True)
    lengths = total[order].cpu().numpy() + 2
    vectors, chunks, at = torch.empty(len(total), 384, device=device), [], 0
    while at < len(order):
        count = max(1, budget // int(lengths[at] + 8))
        o = order[at : at + count]
        ids, mask, own = build(flat, [(s[o], n[o], w) for s, n, w in parts])
        with amp():
            x, v = net(ids, mask, own)
            t = net.tokens(x).to(HALF) if tokens else None
        vectors[o] = v
        if tokens:
            chunks.append((o, t, own, ids))
        at += count
    return (vectors, chunks) if tokens else vectors


def standard(x):
    return (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True).clamp(min=1e-4)
