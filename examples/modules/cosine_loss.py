import torch
import torch.nn as nn
import torch.nn.functional as F


class CosineLoss(nn.Module):
    """One minus the cosine of features and targets, averaged."""

    def forward(self, features, targets):
        features = F.normalize(features, dim=-1)
        targets = F.normalize(targets, dim=-1)
        return (1 - (features * targets).sum(dim=-1)).mean()
