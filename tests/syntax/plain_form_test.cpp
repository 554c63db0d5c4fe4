#include "syntax/plain_form.h"

#include <gtest/gtest.h>

namespace tritonrl::syntax {
namespace {

TEST(PlainForm, LeavesOutWhatComputesNothing) {
  const auto plain = plain_text(R"("""A task."""
from __future__ import annotations
import math
import os, torch
import torch.nn as nn
import torch.nn.functional as F
from typing import Optional, Tuple

SIZE: int = 4
limit: float


class Model(nn.Module):
    """Adds."""
    scale: float = 2.0
    kept: torch.Tensor

    def __init__(self, size: int, bias: Optional[bool] = None) -> None:
        """Sets up."""
        super(Model, self).__init__()
        self.size: int = size

    def forward(self, x: torch.Tensor, *rest: int, dim: int = 1, **more: float) -> Tuple[torch.Tensor, int]:
        total: torch.Tensor = F.relu(x)
        return total, dim


def helper():
    "Nothing."


if __name__ == "__main__":
    print(os.getcwd())
)");
  EXPECT_EQ(plain, R"(import torch.nn as nn
import torch.nn.functional as F
SIZE = 4

class Model(nn.Module):
    scale = 2.0

    def __init__(self, size, bias=None):
        super().__init__()
        self.size = size

    def forward(self, x, *rest, dim=1, **more):
        total = F.relu(x)
        return (total, dim)

def helper():
    pass)");
}

TEST(PlainForm, LeavesAnnotationsThatSomethingReads) {
  const std::string text = R"(from __future__ import annotations
from dataclasses import dataclass
from typing import NamedTuple

@dataclass
class Config:
    width: int = 3
    depth: int

class Pair(NamedTuple):
    left: int

@checked
def area(x: int) -> int:
    return x * x)";
  EXPECT_EQ(plain_text(text), text);
  const std::string scripted = R"(import torch
from typing import List

def grown(x, by: List[int]):
    return x.expand(by)
grown = torch.jit.script(grown))";
  EXPECT_EQ(plain_text(scripted), scripted);
}

TEST(PlainForm, LeavesSuperOfAnother) {
  const std::string text = R"(class Outer(Base):

    def __init__(self):
        super(Base, self).__init__()

        def inside(self):
            return super(Outer, self).x
        self.inside = inside

def free(self):
    super(Outer, self).__init__())";
  EXPECT_EQ(plain_text(text), text);
}

TEST(PlainForm, NeedsAText) {
  EXPECT_EQ(plain_text("def f(:"), std::nullopt);
  EXPECT_EQ(plain_text(""), "");
}

}  // namespace
}  // namespace tritonrl::syntax
