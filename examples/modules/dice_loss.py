import torch
import torch.nn as nn


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super(DiceLoss, self).__init__()
        self.smooth = smooth

    def forward(self, inputs, targets):
        inputs = torch.sigmoid(inputs)
        inputs = inputs.view(inputs.size(0), -1)
        targets = targets.view(targets.size(0), -1)
        intersection = (inputs * targets).sum(1)
        dice = (2.0 * intersection + self.smooth) / (inputs.sum(1) + targets.sum(1) + self.smooth)
        return 1 - dice.mean()
