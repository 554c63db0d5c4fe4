"""Rewards from `tritonrl verify` or `tritonrl serve`, for trainers written in Python.

Judge keeps one program warm behind a pipe; candidates go in as they come, verdicts come back by id. HttpJudge asks a service,
here or on another machine. A reward is a float, or None where there is none: the judge failed or took too long. None is never
a zero: drop such samples.
"""

import atexit
import collections
import http.client
import itertools
import json
import os
import queue
import subprocess
import threading
import time
import urllib.parse
import warnings

__all__ = ["HttpJudge", "Judge", "JudgeError", "compute_score", "reward", "use"]

MOST_SENDS = 2  # of one candidate: once, and again if the program died with it
MOST_FAILED_STARTS = 2  # in a row, before we say so


class JudgeError(RuntimeError):
    """The program cannot be started or does not answer; its own words are in the message."""


class _Ticket:
    """One candidate on its way."""

    def __init__(self, line):
        self.line = line
        self.place = 0  # of the line among those that its program was sent, from 1
        self.sends = 0
        self.done = threading.Event()
        self.answer = None  # {"verdict": …}, {"error": …} or None
        self.failure = None

    def finish(self, answer=None, failure=None):
        self.answer, self.failure = answer, failure
        self.done.set()


class _Program:
    """One run of the program with the threads that feed and hear it."""

    def __init__(self, command, environment, heard, ended):
        self.outbox = queue.SimpleQueue()
        self.last_words = collections.deque(maxlen=20)
        self.heard_any = False
        self.places = itertools.count(1)
        self.waiting = {}  # names of the lines that have no answer yet, by their place
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self._heard, self._ended = heard, ended
        self._errors = self._start(self._read_errors)
        self._threads = [self._errors, self._start(self._write), self._start(self._read)]

    @staticmethod
    def _start(function):
        thread = threading.Thread(target=function, daemon=True)
        thread.start()
        return thread

    def _write(self):
        try:
            while (line := self.outbox.get()) is not None:
                self.process.stdin.write(line)
                self.process.stdin.flush()
        except OSError:
            pass  # it died: the reading thread finds out
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def _read_errors(self):
        with self.process.stderr as errors:
            for line in errors:
                self.last_words.append(line.decode("utf-8", "replace").rstrip())

    def _read(self):
        for line in self.process.stdout:
            try:
                result = json.loads(line)
                name = result["id"]
            except (ValueError, KeyError, TypeError):
                continue  # no answer of ours
            self.heard_any = True
            self._heard(self, name, result)
        self.process.stdout.close()
        self.process.wait()
        self._errors.join(timeout=1)
        self.outbox.put(None)
        self._ended(self)

    def stop(self):
        self.outbox.put(None)
        for end in (None, self.process.terminate, self.process.kill):
            if end is not None:
                end()
            try:
                self.process.wait(timeout=2)
                break
            except subprocess.TimeoutExpired:
                pass
        for thread in self._threads:
            thread.join(timeout=2)


class _Rewarder:
    """What follows from `verdicts(items, timeout)`."""

    def rewards(self, items, timeout=None):
        """The same as floats; None for verdicts without a reward (infrastructure, unjudged), late ones and bad
        items, which also warn."""
        out = []
        for verdict in self.verdicts(items, timeout):
            if verdict is not None and "error" in verdict:
                warnings.warn(f"tritonrl cannot judge this item: {verdict['error']}", stacklevel=2)
                verdict = None
            value = None if verdict is None else verdict.get("reward")
            out.append(None if value is None else float(value))
        return out

    def reward(self, prompts=None, completions=(), task=None, tasks=None, timeout=None, **_):
        """A reward function as TRL calls it: one float (or None) for each completion. `task` is one task for all, or a
        list with one for each, as TRL gives the column of that name; `tasks` is such a list too."""
        chosen = tasks if tasks is not None else task
        if chosen is None:
            raise ValueError("no task: give the data set a column `task`, or pass task=…")
        if isinstance(chosen, str):
            chosen = [chosen] * len(completions)
        if len(chosen) != len(completions):
            raise ValueError(f"{len(chosen)} tasks for {len(completions)} completions")
        items = [{"task": one, "answer": _text(completion)} for one, completion in zip(chosen, completions)]
        return self.rewards(items, timeout)

    def close(self):
        """Frees what is held; the next call takes it again."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _default_program():
    """A program, and its environment (None: this one's)."""
    if os.environ.get("TRITONRL_PROGRAM"):
        return os.environ["TRITONRL_PROGRAM"], None
    try:
        import tritonrl
    except ImportError:
        return "tritonrl", None  # this file alone was copied
    try:
        return tritonrl.program(), tritonrl.program_environment()
    except tritonrl.ProgramError:
        return "tritonrl", None


class Judge(_Rewarder):
    """Keeps `tritonrl verify --batch - --out -` running. Thread-safe; a forked process gets a program of its own."""

    def __init__(self, program=None, workers=None, options=()):
        """program: its path, or a list with words in front of `verify` (default: TRITONRL_PROGRAM, that of the package tritonrl, `tritonrl` on PATH). workers: candidates judged at once (default: two a
        core). options: more words for `tritonrl verify`, such as ("--policy", "strict")."""
        program, self._environment = _default_program() if program is None else (program, None)
        self._command = [program] if isinstance(program, (str, os.PathLike)) else list(program)
        self._command += ["verify", "--batch", "-", "--out", "-", "--unordered"]
        if workers is not None:
            self._command += ["--workers", str(workers)]
        self._command += [str(option) for option in options]
        self._forget()
        atexit.register(self.close)

    def _forget(self):
        self._owner = os.getpid()
        self._lock = threading.RLock()
        self._program = None
        self._pending = {}
        self._numbers = itertools.count()
        self._failed_starts = 0

    def verdicts(self, items, timeout=None):
        """What `tritonrl` says to each of items, in their order.

        items: dicts with "task" (a path, or source with a line break), "answer" (a model's text) or "code", and maybe
        "entry_point". timeout: seconds for the whole call. Each result is a verdict, {"error": …} for an item that the
        caller must fix, or None where no answer came in time or the program died twice with it."""
        deadline = None if timeout is None else time.monotonic() + timeout
        if os.getpid() != self._owner:
            self._forget()
        tickets = {}
        with self._lock:
            for item in items:
                name = f"{self._owner}-{next(self._numbers)}"
                line = json.dumps({**item, "id": name}).encode() + b"\n"
                tickets[name] = self._pending[name] = _Ticket(line)
            try:
                for name, ticket in tickets.items():
                    self._send(name, ticket)
            except JudgeError:
                for name in tickets:
                    self._pending.pop(name, None)
                raise
        for ticket in tickets.values():
            ticket.done.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
        with self._lock:
            for name in tickets:  # an answer that comes later finds nobody
                self._pending.pop(name, None)
        for ticket in tickets.values():
            if ticket.failure is not None:
                raise ticket.failure
        return [self._result(ticket.answer) for ticket in tickets.values()]

    @staticmethod
    def _result(answer):
        if answer is None:
            return None
        return answer["verdict"] if "verdict" in answer else {"error": answer.get("error")}

    def close(self):
        """Ends the program. The next call starts another."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            program, self._program = self._program, None
            for ticket in self._pending.values():
                ticket.finish()
            self._pending.clear()
        if program is not None:
            program.stop()

    def _send(self, name, ticket):
        if self._program is None:
            try:
                self._program = _Program(self._command, self._environment, self._on_answer, self._on_end)
            except OSError as error:
                raise JudgeError(f"{self._command[0]} cannot be started: {error}") from error
        ticket.sends += 1
        ticket.place = next(self._program.places)
        self._program.waiting[ticket.place] = name
        self._program.outbox.put(ticket.line)

    def _on_answer(self, program, name, result):
        with self._lock:
            self._failed_starts = 0
            if name is None:  # a line whose id could not be read: only its place says whose it was
                error = result.get("error")
                name = program.waiting.get(error.get("line")) if isinstance(error, dict) else None
            ticket = self._pending.pop(name, None)
            if ticket is not None:
                program.waiting.pop(ticket.place, None)
        if ticket is not None:
            ticket.finish(result)

    def _on_end(self, program):
        """The program is gone: what waits for it is sent to a new one, unless it was there twice already."""
        with self._lock:
            if program is not self._program:
                return  # closed by us
            self._program = None
            self._failed_starts += 0 if program.heard_any else 1
            words = "\n".join(program.last_words)
            code = program.process.returncode
            failure = None
            if self._failed_starts >= MOST_FAILED_STARTS:
                self._failed_starts = 0
                failure = JudgeError(f"{' '.join(map(str, self._command))} ended with code {code}:\n{words}")
            for name, ticket in list(self._pending.items()):
                if failure is None and ticket.sends < MOST_SENDS:
                    try:
                        self._send(name, ticket)
                        continue
                    except JudgeError as error:
                        failure = error
                del self._pending[name]
                ticket.finish(failure=failure)


class HttpJudge(_Rewarder):
    """Asks `tritonrl serve`. Thread-safe, and nothing is held between calls, so that it may be forked."""

    def __init__(self, url, token=None, connections=32, options=None, patience=60):
        """url: "http://host:port". token: what the service asks for (default: TRITONRL_TOKEN). connections: candidates on their
        way at once. options: what these candidates choose of the judge's options, such as {"policy": "strict"}. patience: seconds
        for which a service that cannot be reached is tried again, as while it starts."""
        self._url = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise ValueError(f"{url} is no address; it looks like http://127.0.0.1:8321")
        token = os.environ.get("TRITONRL_TOKEN", "") if token is None else token
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._connections, self._options, self._patience = connections, options, patience

    def verdicts(self, items, timeout=None):
        """As Judge.verdicts. A task that is the path of a file here is sent as the file's text; another name is one of the service's
        own folder of tasks."""
        deadline = None if timeout is None else time.monotonic() + timeout
        bodies = [json.dumps(self._item(item)).encode() for item in items]
        out, failures = [None] * len(bodies), []
        places = iter(range(len(bodies)))
        lock = threading.Lock()
        done = threading.Semaphore(0)
        ending = threading.Event()

        def work():
            asker = _Asker(self._url, self._headers, deadline, self._patience, ending)
            try:
                while not failures:
                    with lock:
                        place = next(places, None)
                    if place is None:
                        break
                    out[place] = asker.verdict(bodies[place])
            except Exception as error:  # the caller's thread raises it
                failures.append(error)
            finally:
                asker.close()
                done.release()

        threads = min(self._connections, len(bodies))
        for _ in range(threads):
            threading.Thread(target=work, daemon=True).start()
        for _ in range(threads):
            if not done.acquire(timeout=None if deadline is None else max(0.0, deadline - time.monotonic())):
                break
        ending.set()
        if failures:
            raise failures[0]
        return list(out)

    def _item(self, item):
        task = item.get("task")
        if isinstance(task, str) and "\n" not in task and os.path.isfile(task):
            with open(task, encoding="utf-8") as file:
                item = {**item, "task": file.read()}
        if self._options is not None:
            item = {"options": self._options, **item}
        return item


class _Asker:
    """One connection to a service, and what is done where it breaks."""

    def __init__(self, url, headers, deadline, patience, ending):
        self._kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        self._place = (url.hostname, url.port)
        self._path = url.path.rstrip("/") + "/v1/verify"
        self._name = url.geturl()
        self._headers, self._deadline, self._patience, self._ending = headers, deadline, patience, ending
        self._connection = None

    def verdict(self, body):
        """The result for one item, None where there is none in time."""
        unreachable_since, pause, refusals = None, 0.05, 0
        while not self._late():
            used = self._connection is not None
            try:
                status, retry_after, text = self._post(body)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if self._late():
                    break
                now = time.monotonic()
                unreachable_since = unreachable_since or now
                if now - unreachable_since >= self._patience:
                    raise JudgeError(f"{self._name} does not answer: {error!r}") from error
                if not used:  # one that stood idle may have been closed: the next is tried at once
                    self._sleep(pause)
                    pause = min(2 * pause, 2.0)
                continue
            unreachable_since, pause = None, 0.05
            if status in (429, 503):
                self._sleep(retry_after)
                continue
            try:
                result = json.loads(text)
            except ValueError:
                result = {}
            if status == 200 and isinstance(result, dict) and "verdict" in result:
                return result["verdict"]
            if status in (400, 413, 422):
                return {"error": result.get("error") or text.decode("utf-8", "replace")[:500]}
            refusals += 1
            if status < 500 or refusals >= MOST_SENDS:
                raise JudgeError(f"{self._name} answers with status {status}: {text.decode('utf-8', 'replace')[:500]}")
            self._sleep(1.0)
        return None

    def _post(self, body):
        if self._connection is None:
            self._connection = self._kind(*self._place)
        left = None if self._deadline is None else max(0.01, self._deadline - time.monotonic())
        self._connection.timeout = left
        if self._connection.sock is not None:
            self._connection.sock.settimeout(left)
        self._connection.request("POST", self._path, body, self._headers)
        answer = self._connection.getresponse()
        try:
            retry_after = float(answer.headers.get("Retry-After", 1))
        except ValueError:
            retry_after = 1.0
        text = answer.read()
        if answer.will_close:
            self.close()
        return answer.status, retry_after, text

    def _late(self):
        return self._ending.is_set() or (self._deadline is not None and time.monotonic() >= self._deadline)

    def _sleep(self, seconds):
        if self._deadline is not None:
            seconds = min(seconds, self._deadline - time.monotonic())
        self._ending.wait(max(0.0, min(seconds, 60.0)))

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _text(completion):
    """A completion is text, or a chat whose last message is the answer."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, dict):
        return completion.get("content") or ""
    return _text(completion[-1]) if completion else ""


_judge = None
_judge_lock = threading.Lock()


def use(judge):
    """The judge that `reward` and `compute_score` ask, or a service's address; without it they ask TRITONRL_URL, or start `tritonrl`
    (or TRITONRL_PROGRAM) themselves."""
    global _judge
    with _judge_lock:
        _judge = HttpJudge(judge) if isinstance(judge, str) else judge


def _shared_judge():
    global _judge
    with _judge_lock:
        if _judge is None:
            url = os.environ.get("TRITONRL_URL")
            _judge = HttpJudge(url) if url else Judge()
        return _judge


def reward(prompts=None, completions=(), task=None, tasks=None, timeout=None, **_):
    """For TRL: `GRPOTrainer(reward_funcs=reward, …)`. See Judge.reward."""
    return _shared_judge().reward(prompts, completions, task=task, tasks=tasks, timeout=timeout)


def compute_score(data_source, solution_str, ground_truth, extra_info=None, timeout=None, **_):
    """For verl: the task is extra_info["task"], else ground_truth. None where there is no reward: verl cannot store that,
    so a wrapper decides what becomes of it."""
    task = (extra_info or {}).get("task") or ground_truth
    return _shared_judge().rewards([{"task": task, "answer": solution_str}], timeout)[0]
