"""Train the judge, which reads a question and a text together.

python judge.py --data judge.npz --start present.npz --out FOLDER --tag a [--begin judge_a.npz]

It begins as the layers of the encoder, whose table of pieces stays as it is. A list is one right
text and near misses; the loss is that of choosing the right one, by the model alone and by its
score beside that of the search, which found the near misses.
"""

import argparse
import collections
import concurrent.futures
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from network import CLS, SEP, Layer, amp, device, encode, load, log, pack, unpack

parser = argparse.ArgumentParser()
for name in ("data", "start", "out"):
    parser.add_argument(f"--{name}", type=Path, required=True)
parser.add_argument("--tag", default="a")
parser.add_argument("--seconds", type=float, default=480)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--rate", type=float, default=1e-4)
parser.add_argument("--own", type=float, default=0.6, help="share of our own conversations")
parser.add_argument("--solo", type=float, default=1.0, help="weight of the model alone")
parser.add_argument("--mixed", type=float, default=0.5, help="weight of it beside the search")
parser.add_argument("--beta", type=float, default=1.0, help="what the search's score counts there")
parser.add_argument("--drop", type=float, default=0.1)
parser.add_argument("--begin", default="", help="weights of a run before")
parser.add_argument("--teacher", default="", help="weights whose mean is the target, with commas")
parser.add_argument("--without", default="", help="authors to leave out, with commas")
parser.add_argument("--smoke", type=int, default=0)
A = parser.parse_args()
torch.manual_seed(A.seed)
rng = np.random.default_rng(A.seed)
torch.backends.cuda.matmul.allow_tf32 = True

LISTS, EACH = (4, 6) if A.smoke else (128, 12)
QUESTION, BEFORE, DATE, TEXT, STEP = 48, 32, 20, 112, 28  # pieces
MINED = 28
SHARE = {
    "Yale-LILY/QMSum": 0.20,
    "HIT-SCIR/Molweni": 0.08,
    "jkkummerfeld/irc-disentanglement": 0.12,
    "eladsegal/strategyqa": 0.14,
    "haitian-sun/ConditionalQA": 0.12,
    "templates": 0.26,
    "headings": 0.04,
    "songys/Chatbot_data (ko)": 0.04,
}

z = dict(np.load(A.data))
length = z["len"].astype(np.int64)
offset = np.concatenate([[0], np.cumsum(length)[:-1]])
flat = z["flat"].astype(np.int64)
flat_t = torch.as_tensor(np.concatenate([flat, [0]]), device=device)
sources = [str(one) for one in z["sources"]]
groups = np.arange(len(z["gsource"]))
first_of = np.searchsorted(z["group"], groups)
end_of = np.searchsorted(z["group"], groups, side="right")
is_own = np.array([one.startswith("own/") for one in sources])[z["qsource"]]
is_held = np.array([one.endswith("/held") for one in sources])[z["qsource"]]
left_out = {f"own/{one}{part}" for one in A.without.split(",") for part in ("", "/held")}
is_out = np.array([one in left_out for one in sources])[z["qsource"]]
all_docs = np.flatnonzero(z["doc"] >= 0)


def part_of(name, i):
    at = z["pos_at" if name == "pos" else "neg_at"]
    return z[name][at[i] : at[i + 1]]


class Judge(nn.Module):
    def __init__(self, words, layers=6):
        super().__init__()
        self.w, self.p = nn.Embedding(words, 384), nn.Embedding(256, 384)
        self.n = nn.LayerNorm(384, eps=1e-12)
        self.side, self.both = nn.Embedding(3, 384), nn.Embedding(2, 384)
        self.l = nn.ModuleList(Layer() for _ in range(layers))
        self.d, self.h = nn.Linear(768, 384), nn.Linear(384, 1)
        self.w.weight.requires_grad_(False)

    def forward(self, ids, mask, side, both, own):
        x = self.w(ids) + self.p.weight[None, : ids.shape[1]] + self.side(side) + self.both(both)
        x = F.dropout(self.n(x), A.drop, self.training)
        for layer in self.l:
            x = F.dropout(layer(x, mask[:, None, None, :]), A.drop / 2, self.training)
        own = own.unsqueeze(-1).to(x.dtype)
        mean = (x * own).sum(1) / own.sum(1).clamp(min=1)
        inner = torch.tanh(self.d(torch.cat([x[:, 0], mean], -1)))
        return self.h(inner).squeeze(-1).float()


def begin():
    state = unpack(A.start)
    net = Judge(len(state["w.weight"]))
    net.load_state_dict(
        {k: v for k, v in state.items() if k[:2] in ("w.", "p.", "n.", "l.")}, strict=False
    )
    for table in (net.side, net.both):
        nn.init.normal_(table.weight, std=0.01)
    for layer in (net.d, net.h):
        nn.init.normal_(layer.weight, std=0.02)
        nn.init.zeros_(layer.bias)
    if A.begin:
        net.load_state_dict(unpack(A.begin), strict=False)
    return net.to(device)


def teachers(net):
    found = []
    for path in filter(None, A.teacher.split(",")):
        one = Judge(net.w.num_embeddings)
        one.load_state_dict({"w.weight": net.w.weight.detach().cpu(), **unpack(path)})
        found.append(one.to(device).eval())
    return found


def compose(q, before, date, item, start, hide):
    """Return rows of [first] question [last] before date text [last]; -1 leaves a part out."""

    def part(text, cap, tail=False, at=0):
        n = np.where(text >= 0, length[np.maximum(text, 0)], 0) - at
        s = offset[np.maximum(text, 0)] + at
        return (s + np.maximum(n - cap, 0) if tail else s), np.minimum(n, cap)

    parts = [part(q, QUESTION), part(before, BEFORE, tail=True), part(date, DATE)]
    parts.append(part(item, TEXT, at=start))
    n = [one[1] for one in parts]
    total = 3 + sum(n)
    t = lambda x: torch.as_tensor(x, device=device)[:, None]
    at = torch.arange(int((total.max() + 7) // 8 * 8), device=device)[None]
    ids = torch.zeros((len(q), at.shape[1]), dtype=torch.long, device=device)
    side, own = torch.zeros_like(ids), torch.zeros_like(ids, dtype=torch.bool)
    begins = [np.ones_like(n[0]), 2 + n[0], 2 + n[0] + n[1], 2 + n[0] + n[1] + n[2]]
    for k, ((s, m), b) in enumerate(zip(parts, begins)):
        inside = (at >= t(b)) & (at < t(b + m))
        ids = torch.where(inside, flat_t[(t(s) + at - t(b)).clamp(0, len(flat_t) - 1)], ids)
        if k:
            side = torch.where(inside, min(k, 2), side)
        if k > 1:
            own |= inside
    ids[:, 0] = CLS
    ids = torch.where((at == t(1 + n[0])) | (at == t(total - 1)), SEP, ids)
    is_question = (at >= 1) & (at <= t(n[0]))
    question = torch.where(is_question, ids, -1)[:, : QUESTION + 2]
    same = question[:, :, None] == torch.where(own | (side == 1), ids, -2)[:, None, :]
    both = same.any(1).long()
    both[:, : question.shape[1]] |= same.any(2).long()
    both = both * ~torch.as_tensor(hide, device=device)[:, None]
    return ids, at < t(total), side, both, own


is_asked = np.zeros(1 << 16, bool)


def windows(q, item):
    """Return where to begin in long texts: where most pieces of the question are."""
    start = np.zeros(len(item), np.int64)
    for row in np.flatnonzero(length[item] > TEXT):
        text = flat[offset[item[row]] : offset[item[row]] + length[item[row]]]
        asked = flat[offset[q[row]] : offset[q[row]] + min(length[q[row]], QUESTION)]
        is_asked[asked] = True
        count = np.concatenate([[0], np.cumsum(is_asked[text])])
        is_asked[asked] = False
        at = np.arange(0, len(text) - TEXT // 2, STEP)
        start[row] = at[(count[np.minimum(at + TEXT, len(text))] - count[at]).argmax()]
    return start


def score(net, rows, parts=4):
    q, before, _, item, *_ = rows
    n = np.minimum(length[q], QUESTION) + np.minimum(length[item], TEXT)
    n += np.where(before >= 0, np.minimum(length[np.maximum(before, 0)], BEFORE), 0)
    order, out = np.argsort(n, kind="stable"), []
    for chosen in np.array_split(order, parts):
        inputs = compose(*(one[chosen] for one in rows))
        with amp():
            out.append(net(*inputs))
    return torch.cat(out)[torch.as_tensor(np.argsort(order), device=device)]


@torch.no_grad()
def mine():
    """Return near misses of the questions that are not ours, by the encoder's vectors."""
    used = np.unique(np.concatenate([z["doc"][z["doc"] >= 0], z["q"]]))
    used = used[length[used] > 0][: 400 if A.smoke else None]
    vectors = torch.zeros(len(length), 384, dtype=torch.float16, device=device)
    rows = [(offset[used], np.minimum(length[used], 100), True)]
    found = encode(load(A.start).eval(), flat_t, rows)
    vectors[torch.as_tensor(used, device=device)] = found.half()
    near = {}
    by_group = collections.defaultdict(list)
    for i in np.flatnonzero(~is_own):
        by_group[int(z["qgroup"][i])].append(i)
    for group, asked in by_group.items():
        docs = np.arange(first_of[group], end_of[group])
        q = vectors[torch.as_tensor(z["q"][asked], device=device)].float()
        d = vectors[torch.as_tensor(np.maximum(z["doc"][docs], 0), device=device)].float()
        top = (q @ d.T).topk(min(MINED, len(docs)), 1).indices.cpu().numpy()
        near |= {i: docs[row] for i, row in zip(asked, top)}
    return near


def weights():
    """Return how often each question is drawn."""
    found = np.zeros(len(z["q"]))
    trained = is_own & ~is_held & ~is_out
    found[trained] = A.own / max(trained.sum(), 1)
    for name, share in SHARE.items():
        at = z["qsource"] == sources.index(name)
        found[at] = (1 - A.own) * share / at.sum()
    found[length[z["q"]] == 0] = 0
    return found / found.sum()


def one_list(i, near):
    """Return a right text and near misses of a question, and what the search gave each."""
    right, group = part_of("pos", i), int(z["qgroup"][i])
    every, low, high = {*right.tolist()}, first_of[group], end_of[group]
    if z["qweak"][i] and len(right) > 6:
        right = np.array([one for one in near[i] if one in every][:3] or right[:1])
    first = int(rng.choice(right))
    known = dict(zip(part_of("neg", i).tolist(), part_of("prior", i).tolist()))
    misses = list(known) if is_own[i] else near.get(i, ())
    misses = [one for one in misses if one not in every and z["doc"][one] >= 0]
    count = min(len(misses), EACH - (3 if is_own[i] else 4))
    if count:
        share = np.linspace(3 if is_own[i] else 2, 1, len(misses))
        misses = rng.choice(misses, count, replace=False, p=share / share.sum()).tolist()
    if z["gseq"][group]:
        for step in rng.permutation([-2, -1, 1, 2, 3]):
            one = first + int(step)
            is_new = one not in every and one not in misses
            if low <= one < high and is_new and z["doc"][one] >= 0:
                misses.append(one)
                break
    tries = 0
    while len(misses) < EACH - 1:
        is_near = rng.random() < 0.5 and high - low > 40 and tries < 20
        one = int(rng.integers(low, high)) if is_near else int(rng.choice(all_docs))
        tries += 1
        if one not in every and one not in misses and z["doc"][one] >= 0:
            misses.append(one)
    chosen = [first, *misses[: EACH - 1]]
    least = min(known.values(), default=0.0) - 0.5
    return chosen, [known.get(one, least) if is_own[i] else 0.0 for one in chosen]


def batch(weight, near):
    asked = rng.choice(len(z["q"]), LISTS, p=weight, replace=False)
    lists, prior = map(np.array, zip(*(one_list(i, near) for i in asked)))
    docs = lists.reshape(-1)
    q, item = np.repeat(z["q"][asked], EACH), z["doc"][docs].astype(np.int64)
    before, date = z["prev"][docs].astype(np.int64), np.full(lists.shape, -1)
    for row, i in enumerate(asked):
        if rng.random() < (0.8 if z["gseq"][z["qgroup"][i]] else 0.3):
            days = z["dates"][rng.integers(len(z["dates"]))]
            date[row] = days[(rng.integers(len(days)) + lists[row] // 17 % 6) % len(days)]
        if rng.random() < 0.2:
            before[row * EACH : (row + 1) * EACH] = -1
    hide = np.repeat(rng.random(LISTS) < 0.3, EACH)
    rows = q, before, date.reshape(-1), item, windows(q, item), hide
    bad = z["doc"][lists] == z["doc"][lists[:, :1]]
    bad[:, 0] = False
    return rows, prior.astype(np.float32), is_own[asked], bad


def loss_of(net, others, rows, prior, has_prior, bad):
    bad, has_prior = (torch.as_tensor(one, device=device) for one in (bad, has_prior))
    found = score(net, rows).view(LISTS, EACH).masked_fill(bad, -1e4)
    first = torch.zeros(LISTS, dtype=torch.long, device=device)
    alone = F.cross_entropy(found, first)
    loss = A.solo * alone
    if has_prior.any():
        beside = found + A.beta * torch.as_tensor(prior, device=device)
        loss = loss + A.mixed * F.cross_entropy(beside[has_prior], first[has_prior])
    target = torch.zeros_like(found)
    target[:, 0] = 1
    each = F.binary_cross_entropy_with_logits(found.clamp(min=-30), target, reduction="none")
    loss = loss + 0.15 * (each * torch.where(target > 0, 1.0, 1 / EACH) * ~bad).sum(1).mean()
    if others:
        with torch.no_grad():
            told = sum(score(one, rows) for one in others) / len(others)
            told = told.view(LISTS, EACH).masked_fill(bad, -1e4)
        logs = F.log_softmax(found, 1), F.log_softmax(told, 1)
        loss = 0.4 * loss + F.kl_div(*logs, log_target=True, reduction="batchmean")
        loss = loss + 0.02 * ((found - told) ** 2 * ~bad).mean()
    return loss, alone, (found.argmax(1) == 0).float().mean()


def main():
    near, weight = mine(), weights()
    torch.manual_seed(1)
    net = begin().train()
    torch.manual_seed(A.seed)
    others = teachers(net)
    head = [p for part in (net.d, net.h, net.side, net.both) for p in part.parameters()]
    ids = {id(one) for one in head}
    body = [p for p in net.parameters() if p.requires_grad and id(p) not in ids]
    optimizer = torch.optim.AdamW(
        [
            {"params": head, "lr": A.rate * 5, "weight_decay": 0.0},
            {"params": body, "lr": A.rate, "weight_decay": 0.01},
        ],
        betas=(0.9, 0.98),
        fused=device == "cuda",
    )
    usual = [group["lr"] for group in optimizer.param_groups]
    pool = concurrent.futures.ThreadPoolExecutor(3)
    queue = collections.deque(pool.submit(batch, weight, near) for _ in range(6))
    began, step, mean = time.time(), 0, None
    while (part := (time.time() - began) / A.seconds) < 1 and not (A.smoke and step >= 3):
        rate = min(1, part / 0.05) * (0.5 * (1 + math.cos(math.pi * part)) * 0.97 + 0.03)
        for group, one in zip(optimizer.param_groups, usual):
            group["lr"] = one * rate
        loss, alone, right = loss_of(net, others, *queue.popleft().result())
        queue.append(pool.submit(batch, weight, near))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        if part > 0.3 and mean is None:
            mean = {k: v.detach().clone() for k, v in net.state_dict().items()}
        elif part > 0.3 and step % 4 == 0:
            for k, v in net.state_dict().items():
                mean[k].lerp_(v, 0.02)
        if step % 200 == 0 or A.smoke:
            log(A.tag, step, f"loss {alone.item():.3f}, first {right.item():.3f}")
    net.load_state_dict(mean or net.state_dict())
    A.out.mkdir(exist_ok=True, parents=True)
    kept = {k: v for k, v in net.state_dict().items() if k != "w.weight"}
    pack(kept, A.out / f"judge_{A.tag}.npz")
    for one in queue:
        one.cancel()
    pool.shutdown(cancel_futures=True)


main()
