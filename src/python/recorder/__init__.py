"""Records what a PyTorch module does, without data and without a GPU. Runs inside the sandbox; its output is untrusted."""
