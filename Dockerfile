# A GPU box (it works without a GPU, too):
#   docker build -t tritonrl .
#   docker run --rm --gpus all -v "$PWD:/work" tritonrl doctor
#   docker run --rm --gpus all -v "$PWD:/work" tritonrl optimize my_module.py:Block --input 'f32[1..64,1024]' --device cuda
# CUDA's libraries come with torch's wheel, the driver from the host (NVIDIA's container toolkit). Docker forbids new namespaces, so candidates are confined
# by Landlock and seccomp: `doctor` says so. docs/sandbox.md
FROM debian:12-slim AS build
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update && apt-get install -y --no-install-recommends python3-venv ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# torch first: it changes less often than the sources
COPY scripts/setup.sh scripts/
RUN eval "$(grep -E '^(torch|triton|pyarrow|cuda)_version=' scripts/setup.sh)" && python3 -m venv /opt/python && \
    /opt/python/bin/pip install --no-cache-dir "torch==$torch_version" "triton==$triton_version" "pyarrow==$pyarrow_version" "nvidia-cuda-runtime==$cuda_version" numpy einops
COPY . .
RUN TRITONRL_PYTHON=/opt/python/bin/python3 scripts/setup.sh programs && cmake --install build/release --prefix /opt/tritonrl --strip

FROM debian:12-slim
# gcc: Triton's own launcher is compiled on the first launch (--live, and kernels that you run yourself)
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 libpython3-dev gcc libc6-dev libcurl4 libssl3 ca-certificates && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/python /opt/python
COPY --from=build /opt/tritonrl /opt/tritonrl
ENV TRITONRL_PYTHON=/opt/python/bin/python3 PYTHONPATH=/opt/tritonrl/share/tritonrl/python PATH=/opt/tritonrl/bin:/opt/python/bin:/usr/local/bin:/usr/bin:/bin
WORKDIR /work
ENTRYPOINT ["tritonrl"]
CMD ["doctor"]
