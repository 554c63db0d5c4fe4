import torch
import torch.nn as nn
import torch.nn.functional as F


class TopKRouter(nn.Module):
    """Scores of experts for each token, and the load-balancing loss of Switch Transformers."""

    def __init__(self, d_model: int, num_experts: int, top_k: int = 2):
        super().__init__()
        self.top_k = top_k
        self.num_experts = num_experts
        self.gate = nn.Linear(d_model, num_experts, bias=False)

    def forward(self, hidden: torch.Tensor):
        logits = self.gate(hidden)
        probs = F.softmax(logits, dim=-1)
        weights, chosen = torch.topk(probs, self.top_k, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        share = probs.mean(dim=(0, 1))
        loss = self.num_experts * (share * share).sum()
        return weights, chosen, loss


def get_inputs():
    return [torch.randn(8, 512, 1024)]


def get_init_inputs():
    return [1024, 16]
