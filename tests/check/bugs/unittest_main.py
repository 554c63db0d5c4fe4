"""A file of unittest's, run as a script."""
import unittest

import torch
import triton
import triton.language as tl


@triton.jit
def add_one(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n) + 1)  # expect: out_of_bounds


class AddOne(unittest.TestCase):
    def setUp(self):
        self.x = torch.rand(100, device="cuda")
        self.out = torch.empty_like(self.x)
        add_one[(1,)](self.x, self.out, 100, BLOCK=128)

    def test_values(self):
        torch.testing.assert_close(self.out, self.x + 1)

    def test_wrong_expectation(self):
        self.assertTrue(torch.equal(self.out, self.x + 2))  # expect: failed_assert

    @unittest.skip("a reason")
    def test_skipped(self):
        raise AssertionError

    def test_with_subtests(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertLess(i, 2)  # expect: failed_assert


if __name__ == "__main__":
    unittest.main()
