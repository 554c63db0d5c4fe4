import torch
import torch.nn as nn
import torch.nn.functional as F


class DistillationLoss(nn.Module):
    """KL divergence of softened predictions (Hinton et al., 2015)."""

    def __init__(self, temperature=4.0):
        super().__init__()
        self.T = temperature

    def forward(self, student_logits, teacher_logits):
        student = F.log_softmax(student_logits / self.T, dim=1)
        teacher = F.softmax(teacher_logits / self.T, dim=1)
        return F.kl_div(student, teacher, reduction="batchmean") * (self.T ** 2)
