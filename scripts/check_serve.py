#!/usr/bin/env python3
"""Asks the built `tritonrl serve` by many clients at once, with malformed requests among them, and stops it while they ask.

usage: check_serve.py BUILD_FOLDER [CLIENTS [REQUESTS_EACH]]

Every request must get the answer that belongs to it, with the right status; the service's own memory must not grow by more than
MOST_GROWTH MiB; SIGTERM must leave nobody without an answer. Prints a line of JSON with what was counted. Exit code 1 if something
does not hold.
"""
import collections
import http.client
import json
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

MOST_GROWTH = 100
ROOT = pathlib.Path(__file__).resolve().parent.parent
MALFORMED = [  # body, type, status
    (b"", "application/json", 400),
    (b"{", "application/json", 400),
    (b"[" * 5000, "application/json", 400),
    (b'{"task": "a\\n"}', "application/json", 400),
    (b'{"task": "/etc/passwd", "code": "x"}', "application/json", 400),
    (b'{"task": "a\\n", "code": "\xff"}', "application/json", 400),
    (b'{"task": "a\\n", "code": "x", "options": {"without": ["work"]}}', "application/json", 400),
    (b'{"task": "a\\n", "code": "x"}', "text/plain", 415),
    (b"x" * (2 << 20), "application/json", 413),
]
GARBAGE = [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"A" * 20000, b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 10000,
           b"POST /v1/verify HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"POST /v1/verify HTTP/1.1\r\nHost: a\r\nContent-Le"]


class Service:
    def __init__(self, build, folder):
        # a body's limit below that of the longest malformed one
        command = [build / "tritonrl", "serve", "--port", "0", "--queue", "16", "--body-mb", "1", "--cache", folder]
        self.process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)$", line.strip()).group(1))

    def resident(self):
        """MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return {name: int(re.search(rf"{name}:\s+(\d+)", status).group(1)) / 1024 for name in ("VmRSS", "VmHWM")}


class Client:
    def __init__(self, port):
        self.port, self.connection = port, None

    def ask(self, method, path, body=None, kind="application/json"):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        self.connection.request(method, path, body, {"Content-Type": kind} if body is not None else {})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.will_close:
            self.connection.close()
            self.connection = None
        return answer.status, answer.headers, text


def candidates():
    out = []
    for path in sorted((ROOT / "examples/kernels").glob("*.py"))[:6]:
        task = (ROOT / "examples/tasks" / path.name).read_text()
        out.append({"task": task, "code": path.read_text()})
        out.append({"task": task, "answer": "I cannot write this kernel."})
    return out


class Load:
    def __init__(self, port, known, requests):
        self.port, self.known, self.requests = port, known, requests
        self.counts, self.wrong, self.lock = collections.Counter(), [], threading.Lock()

    def note(self, what, fault=None):
        with self.lock:
            self.counts[what] += 1
            if fault:
                self.wrong.append(fault)

    def patiently(self, client, path, body):
        while True:
            status, headers, text = client.ask("POST", path, body)
            if status != 429:
                return status, headers, text
            self.note("asked to wait")
            if int(headers["Retry-After"]) < 1:
                self.note("bad", "Retry-After below 1")
            time.sleep(random.uniform(0.05, 0.5))

    def one(self, client, name, chance):
        item, kind = random.choice(self.known)
        body = json.dumps({**item, "id": name}).encode()
        if chance < 0.15:
            data, media, expected = random.choice(MALFORMED)
            status, _, text = client.ask("POST", "/v1/verify", data, media)
            good = status == expected and "message" in json.loads(text)["error"]
            return self.note(f"malformed {status}", None if good else f"{status} for {data[:40]}, not {expected}")
        if chance < 0.3:
            status, headers, text = self.patiently(client, "/v1/jobs", body)
            place, job = headers["Location"], json.loads(text)
            while status in (200, 202) and job["status"] == "waiting":
                time.sleep(0.1)
                status, _, text = client.ask("GET", place)
                job = json.loads(text)
            result = job["result"]
            what = "job"
        else:
            status, _, text = self.patiently(client, "/v1/verify", body)
            result, what = json.loads(text), "verdict"
        good = status == 200 and result["id"] == name and result["verdict"]["kind"] == kind
        self.note(what, None if good else f"{what} {name}: {status} {text[:200]}")

    def client(self, number):
        client, random_ = Client(self.port), random.Random(number)
        for turn in range(self.requests):
            name = f"{number}-{turn}"
            try:
                self.one(client, name, random_.random())
            except Exception as error:
                self.note("lost", f"{name}: {error!r}")
                client = Client(self.port)

    def garbage(self, stop):
        held = []
        while not stop.is_set():
            with socket.create_connection(("127.0.0.1", self.port)) as one:
                one.settimeout(5)
                try:
                    one.sendall(random.choice(GARBAGE[:-1]))
                    status = one.recv(12)[9:12]
                    self.note(f"garbage {status.decode()}", None if status[:1] == b"4" or status == b"505" else f"garbage: {status}")
                except OSError:
                    self.note("garbage cut off")
            if len(held) < 100:
                held.append(socket.create_connection(("127.0.0.1", self.port)))
                held[-1].sendall(GARBAGE[-1])
            time.sleep(0.01)


def stop_under_load(service, known):
    """The statuses that forty clients get while the service stops."""
    statuses, lock, sent = collections.Counter(), threading.Lock(), threading.Barrier(41)

    def ask(number):
        client = Client(service.port)
        client.ask("GET", "/healthz")
        item = dict(known[0][0])
        item["code"] += f"\n# {number}\n"  # in no cache
        sent.wait()
        try:
            status = client.ask("POST", "/v1/verify", json.dumps(item).encode())[0]
        except OSError as error:
            status = repr(error)
        with lock:
            statuses[status] += 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    sent.wait()
    time.sleep(0.7)
    begin = time.monotonic()
    service.process.send_signal(signal.SIGTERM)
    for thread in threads:
        thread.join()
    code = service.process.wait(timeout=60)
    return statuses, code, time.monotonic() - begin


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    clients, requests = (int(sys.argv[2]) if len(sys.argv) > 2 else 200), (int(sys.argv[3]) if len(sys.argv) > 3 else 20)
    with tempfile.TemporaryDirectory() as folder:
        service = Service(build, folder)
        try:
            first, known = Client(service.port), []
            for item in candidates():
                known.append((item, json.loads(first.ask("POST", "/v1/verify", json.dumps(item).encode())[2])["verdict"]["kind"]))
            before = service.resident()
            load, stop = Load(service.port, known, requests), threading.Event()
            begin = time.monotonic()
            threads = [threading.Thread(target=load.client, args=(number,)) for number in range(clients)]
            garbage = threading.Thread(target=load.garbage, args=(stop,))
            for thread in [*threads, garbage]:
                thread.start()
            for thread in threads:
                thread.join()
            seconds = time.monotonic() - begin
            stop.set()
            garbage.join()
            after = service.resident()
            metrics = first.ask("GET", "/metrics")[2].decode()
            statuses, code, stopping = stop_under_load(service, known)
        finally:
            service.process.kill()
            service.process.wait()
    growth = after["VmHWM"] - before["VmRSS"]
    faults = list(load.wrong)
    answered = sum(count for what, count in load.counts.items() if what in ("verdict", "job") or what.startswith("malformed"))
    if answered != clients * requests:
        faults.append(f"{answered} of {clients * requests} answered")
    if growth > MOST_GROWTH:
        faults.append(f"its memory grew by {growth:.0f} MiB")
    if "tritonrl_candidates_waiting 0" not in metrics or "tritonrl_candidates_judging 0" not in metrics:
        faults.append("candidates are left over")
    if code != 0 or set(statuses) - {200, 429, 503} or sum(statuses.values()) != 40:
        faults.append(f"the stop: exit code {code}, {dict(statuses)}")
    print(json.dumps({"clients": clients, "requests": clients * requests, "seconds": round(seconds, 1), "counts": dict(sorted(load.counts.items())),
                      "kinds": sorted({kind for _, kind in known}), "resident_mib": round(before["VmRSS"]), "peak_growth_mib": round(growth),
                      "stopped": {"statuses": {str(k): v for k, v in statuses.items()}, "seconds": round(stopping, 1)}}))
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
