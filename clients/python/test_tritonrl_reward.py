"""python -m unittest discover clients/python — the client against a program that does what the answers say."""

import http.server
import json
import os
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tritonrl_reward
from tritonrl_reward import HttpJudge, Judge, JudgeError

FAKE = textwrap.dedent(
    """
    import json, os, sys, threading, time
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "starts"), "a") as file:
        file.write(" ".join(sys.argv[1:]) + "\\n")
    if "--refuse" in sys.argv:
        sys.exit("tritonrl: [cli] no such option")
    lock = threading.Lock()
    def say(one):
        with lock:
            sys.stdout.write(json.dumps(one) + "\\n")
            sys.stdout.flush()
    def judge(line):
        words = line.get("answer", line.get("code")).split()
        verdict = {"kind": "passed", "reward": 0.75, "task": line["task"], "answer": line.get("answer")}
        if "sleep" in words:
            time.sleep(float(words[words.index("sleep") + 1]))
        if "zero" in words:
            verdict.update(kind="wrong", reward=0)
        if "ours" in words:
            verdict.update(kind="infrastructure", reward=None)
        if "noise" in words:
            with lock:
                sys.stdout.write("not json\\n{}\\n[1]\\n")
        if "error" in words:
            return say({"id": line["id"], "error": {"line": 1, "field": "task", "message": "defines no Model"}})
        say({"id": line["id"], "verdict": verdict})
    for number, text in enumerate(sys.stdin, 1):
        line = json.loads(text)
        words = line.get("answer", line.get("code")).split()
        if "unreadable" in words:
            say({"id": None, "error": {"line": number, "field": None, "message": "is not JSON"}})
            continue
        if "die" in words or ("die_once" in words and not os.path.exists(os.path.join(folder, "died"))):
            open(os.path.join(folder, "died"), "w").close()
            os._exit(9)
        threading.Thread(target=judge, args=(line,)).start()
    """
)


class WithFakeProgram(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.fake = os.path.join(folder.name, "fake.py")
        with open(self.fake, "w") as file:
            file.write(FAKE)

    def judge(self, **arguments):
        judge = Judge([sys.executable, self.fake], **arguments)
        self.addCleanup(judge.close)
        return judge

    def starts(self):
        with open(os.path.join(self.folder, "starts")) as file:
            return file.read().splitlines()


def items(*answers):
    return [{"task": "task.py", "answer": answer} for answer in answers]


class Verdicts(WithFakeProgram):
    def test_results_are_in_the_order_of_the_items(self):
        answers = [f"sleep {0.002 * ((i * 7) % 11)} number {i}" for i in range(60)]
        got = self.judge().verdicts(items(*answers), timeout=30)
        self.assertEqual([one["answer"] for one in got], answers)

    def test_one_program_serves_all_calls_with_the_options(self):
        judge = self.judge(workers=3, options=("--policy", "strict"))
        for _ in range(5):
            self.assertEqual(len(judge.verdicts(items("a", "b"), timeout=30)), 2)
        self.assertEqual(self.starts(), ["verify --batch - --out - --unordered --workers 3 --policy strict"])

    def test_no_items_start_nothing(self):
        self.assertEqual(self.judge().verdicts([]), [])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "starts")))

    def test_noise_is_no_answer(self):
        self.assertEqual(self.judge().verdicts(items("noise"), timeout=30)[0]["kind"], "passed")

    def test_a_line_that_could_not_be_read_is_known_by_its_place(self):
        judge = self.judge()
        for _ in range(2):
            first, bad, last = judge.verdicts(items("fine", "unreadable", "fine"), timeout=30)
            self.assertEqual([first["kind"], last["kind"]], ["passed", "passed"])
            self.assertEqual(bad["error"]["message"], "is not JSON")

    def test_a_bad_item_is_an_error_and_the_others_are_judged(self):
        bad, good = self.judge().verdicts(items("error", "fine"), timeout=30)
        self.assertEqual(bad["error"]["message"], "defines no Model")
        self.assertEqual(good["kind"], "passed")

    def test_threads_share_a_judge(self):
        judge, wrong = self.judge(), []

        def ask(thread):
            for i in range(20):
                answer = f"{thread} {i}"
                if judge.verdicts(items(answer), timeout=30)[0]["answer"] != answer:
                    wrong.append(answer)

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len(self.starts()), 1)


class Failures(WithFakeProgram):
    def test_a_late_answer_is_none_and_never_anothers(self):
        judge = self.judge()
        begin = time.monotonic()
        late, quick = judge.verdicts(items("sleep 2 late", "quick"), timeout=1)
        self.assertIsNone(late)
        self.assertEqual(quick["answer"], "quick")
        self.assertLess(time.monotonic() - begin, 1.9)
        time.sleep(1.2)  # now it answers
        self.assertEqual(judge.verdicts(items("next"), timeout=30)[0]["answer"], "next")
        self.assertEqual(len(self.starts()), 1)

    def test_a_program_that_died_is_started_again(self):
        judge = self.judge()
        self.assertEqual(judge.verdicts(items("a"), timeout=30)[0]["answer"], "a")
        got = judge.verdicts(items("die_once", "b"), timeout=30)
        self.assertEqual([one["answer"] for one in got], ["die_once", "b"])
        self.assertEqual(len(self.starts()), 2)

    def test_a_candidate_that_kills_it_twice_is_none(self):
        judge = self.judge()
        self.assertEqual(judge.verdicts(items("a"), timeout=30)[0]["answer"], "a")
        self.assertEqual(judge.verdicts(items("die"), timeout=30), [None])
        self.assertEqual(judge.verdicts(items("b"), timeout=30)[0]["answer"], "b")

    def test_a_program_that_refuses_its_options_says_so(self):
        with self.assertRaisesRegex(JudgeError, "no such option"):
            self.judge(options=("--refuse",)).verdicts(items("a"), timeout=30)

    def test_a_program_that_is_not_there(self):
        with self.assertRaisesRegex(JudgeError, "cannot be started"):
            Judge(os.path.join(self.folder, "none")).verdicts(items("a"), timeout=30)

    def test_close_ends_the_program_and_the_next_call_starts_another(self):
        judge = self.judge()
        judge.verdicts(items("a"), timeout=30)
        process = judge._program.process
        judge.close()
        self.assertIsNotNone(process.poll())
        self.assertEqual(judge.verdicts(items("b"), timeout=30)[0]["answer"], "b")

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_forked_process_gets_its_own(self):
        judge = self.judge()
        judge.verdicts(items("a"), timeout=30)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # forking beside threads is the point
            child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if judge.verdicts(items("b"), timeout=30)[0]["answer"] == "b" else 1
                judge.close()
            finally:
                os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(judge.verdicts(items("c"), timeout=30)[0]["answer"], "c")
        self.assertEqual(len(self.starts()), 2)


class Rewards(WithFakeProgram):
    def test_no_reward_is_none_and_never_zero(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            got = self.judge().rewards(items("fine", "zero", "ours", "error", "sleep 5"), timeout=1.5)
        self.assertEqual(got, [0.75, 0.0, None, None, None])
        self.assertIsInstance(got[1], float)
        self.assertEqual(len(caught), 1)
        self.assertIn("defines no Model", str(caught[0].message))

    def test_as_trl_calls_it(self):
        tritonrl_reward.use(self.judge())
        self.addCleanup(tritonrl_reward.use, None)
        reward = tritonrl_reward.reward
        chat = [{"role": "assistant", "content": "zero"}]
        got = reward(prompts=["p", "p"], completions=["fine", chat], task=["a.py", "b.py"], completion_ids=[[1], [2]])
        self.assertEqual(got, [0.75, 0.0])
        self.assertEqual(reward(prompts=["p"], completions=["fine"], task="a.py", timeout=30), [0.75])
        self.assertEqual(reward(["p"], ["fine"], tasks=["a.py"]), [0.75])
        self.assertEqual(reward(["p"], [[]], tasks=["a.py"]), [0.75])
        with self.assertRaisesRegex(ValueError, "no task"):
            reward(prompts=["p"], completions=["fine"])
        with self.assertRaisesRegex(ValueError, "1 tasks for 2 completions"):
            reward(prompts=["p", "p"], completions=["fine", "fine"], task=["a.py"])

    def test_as_verl_calls_it(self):
        judge = self.judge()
        tritonrl_reward.use(judge)
        self.addCleanup(tritonrl_reward.use, None)
        score = tritonrl_reward.compute_score
        self.assertEqual(score("kernelbench", "fine", "task.py"), 0.75)
        self.assertEqual(score("kernelbench", "zero", "", extra_info={"task": "task.py"}), 0.0)
        self.assertIsNone(score("kernelbench", "ours", "task.py", None))


class FakeService(http.server.BaseHTTPRequestHandler):
    """`tritonrl serve` that does what the answers say."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        service = self.server
        with service.lock:
            service.bodies.append(body)
            count = service.counts[body["answer"]] = service.counts.get(body["answer"], 0) + 1
            service.under_way += 1
            service.most = max(service.most, service.under_way)
        try:
            self.play(body, body["answer"].split(), count)
        finally:
            with service.lock:
                service.under_way -= 1

    def play(self, body, words, count):
        if self.headers.get("Authorization") != "Bearer word":
            return self.say(401, {"error": {"field": "Authorization", "message": "is missing"}})
        if "sleep" in words:
            time.sleep(float(words[words.index("sleep") + 1]))
        if "busy" in words and count < 4:
            return self.say(429, {"error": {"field": None, "message": "later"}}, {"Retry-After": "0"})
        if "drop" in words and count < 3:
            self.close_connection = True
            return self.connection.close() if count == 1 else None
        if "broken" in words:
            return self.say(500, {"error": {"field": None, "message": "thrown"}})
        if "error" in words:
            return self.say(422, {"id": None, "error": {"field": "task", "message": "defines no Model"}})
        verdict = {"kind": "passed", "reward": 0.0 if "zero" in words else 0.75, **body}
        if "ours" in words:
            verdict.update(kind="infrastructure", reward=None)
        return self.say(200, {"id": None, "verdict": verdict})

    def say(self, status, result, headers={}):
        text = json.dumps(result).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class OverHttp(unittest.TestCase):
    def setUp(self):
        self.service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), FakeService)
        self.service.daemon_threads = True
        self.service.lock, self.service.bodies, self.service.counts = threading.Lock(), [], {}
        self.service.under_way = self.service.most = 0
        threading.Thread(target=self.service.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.service.server_close)
        self.addCleanup(self.service.shutdown)
        self.url = f"http://127.0.0.1:{self.service.server_address[1]}"

    def judge(self, **arguments):
        return HttpJudge(self.url, token="word", **arguments)

    def test_results_are_in_the_order_of_the_items(self):
        answers = [f"sleep {0.002 * ((i * 7) % 11)} number {i}" for i in range(60)]
        got = self.judge(connections=8).verdicts(items(*answers), timeout=30)
        self.assertEqual([one["answer"] for one in got], answers)
        self.assertLessEqual(self.service.most, 8)

    def test_no_items_ask_nothing(self):
        self.assertEqual(self.judge().verdicts([]), [])
        self.assertEqual(self.service.bodies, [])

    def test_who_is_told_to_wait_asks_again(self):
        self.assertEqual(self.judge().rewards(items("busy a", "busy b", "c"), timeout=30), [0.75] * 3)
        self.assertEqual(self.service.counts, {"busy a": 4, "busy b": 4, "c": 1})

    def test_a_connection_that_breaks_is_made_again(self):
        self.assertEqual(self.judge().rewards(items("drop"), timeout=30), [0.75])
        self.assertEqual(self.service.counts["drop"], 3)

    def test_no_reward_is_none_and_never_zero(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            begin = time.monotonic()
            got = self.judge().rewards(items("fine", "zero", "ours", "error", "sleep 5"), timeout=1)
        self.assertEqual(got, [0.75, 0.0, None, None, None])
        self.assertLess(time.monotonic() - begin, 3)
        self.assertEqual(len(caught), 1)
        self.assertIn("defines no Model", str(caught[0].message))

    def test_busy_for_too_long_is_none(self):
        FakeService.play, play = lambda self, *_: self.say(503, {}, {"Retry-After": "1"}), FakeService.play
        self.addCleanup(setattr, FakeService, "play", play)
        self.assertEqual(self.judge().rewards(items("a"), timeout=0.3), [None])

    def test_a_wrong_token_and_a_broken_service_are_said(self):
        with self.assertRaisesRegex(JudgeError, "401.*Authorization"):
            HttpJudge(self.url, token="other").verdicts(items("a", "b"), timeout=30)
        with self.assertRaisesRegex(JudgeError, "500.*thrown"):
            self.judge().verdicts(items("broken"), timeout=30)

    def test_a_service_that_is_not_there(self):
        self.service.shutdown()
        self.service.server_close()
        with self.assertRaisesRegex(JudgeError, "does not answer"):
            self.judge(patience=0.3).verdicts(items("a"), timeout=30)
        self.assertEqual(self.judge().verdicts(items("a"), timeout=0.3), [None])
        with self.assertRaisesRegex(ValueError, "no address"):
            HttpJudge("ftp://host")

    def test_a_tasks_file_is_read_here_and_options_go_along(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write("class Model: pass\n")
            file.flush()
            judge = self.judge(options={"policy": "strict"})
            got = judge.verdicts([{"task": file.name, "answer": "a"}, {"task": "level1/1.py", "answer": "b"}], timeout=30)
        self.assertEqual([one["task"] for one in got], ["class Model: pass\n", "level1/1.py"])
        self.assertEqual(got[0]["options"], {"policy": "strict"})

    def test_as_trl_and_verl_call_it(self):
        os.environ["TRITONRL_TOKEN"] = "word"
        self.addCleanup(os.environ.pop, "TRITONRL_TOKEN")
        tritonrl_reward.use(self.url)
        self.addCleanup(tritonrl_reward.use, None)
        chat = [{"role": "assistant", "content": "zero"}]
        got = tritonrl_reward.reward(prompts=["p", "p"], completions=["fine", chat], task=["a\n", "b\n"], log_extra=None)
        self.assertEqual(got, [0.75, 0.0])
        self.assertEqual(tritonrl_reward.compute_score("kernelbench", "fine", "a\n"), 0.75)
        self.assertIsNone(tritonrl_reward.compute_score("kernelbench", "ours", "", {"task": "a\n"}))


if __name__ == "__main__":
    unittest.main()
