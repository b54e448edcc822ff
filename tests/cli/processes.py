#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is left of a batch whose reader, writer, parent or processes go away, as tests (TAP): nothing
goes on, nothing is busy with nothing, and status and messages say what happened.

processes.py PROGRAM
"""
import json
import os
import signal
import subprocess
import sys
import time

SHORT = b'{"command":"kl-bound","epsilon":"0.1","times":100}\n'
LONG = (b'{"command":"rr-prob","mechanisms":1000001,"epsilon":"0.001","allowance":10,"digits":3000,'
        b'"max_time":100}\n')  # nearly as long as its time
PIPE = subprocess.PIPE
JOBS = ([], ["-j", "4"])
done = []


def deaf():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def processes(group):
    """Those of a process group that have not ended: {pid: ticks of processor time}"""
    found = {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{int(name)}/stat", encoding="ascii", errors="replace") as stat:
                field = stat.read().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if int(field[2]) == group and field[0] not in "ZX":
            found[int(name)] = int(field[11]) + int(field[12])
    return found


def until(true, seconds=20):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def kill(pid):
    """False: it has ended by itself meanwhile"""
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


class Batch:
    def __init__(self, jobs, lines=b"", stdin=PIPE, stdout=PIPE, preexec=None):
        self.run = subprocess.Popen([sys.argv[1], "batch", *jobs], stdin=stdin, stdout=stdout,
                                    stderr=PIPE, preexec_fn=preexec, process_group=0)
        if lines:
            self.run.stdin.write(lines)
            self.run.stdin.flush()

    def left(self):
        return processes(self.run.pid)

    def busy(self, wanted):
        """Are so many processes at work?"""
        return until(lambda: sum(ticks > 5 for ticks in self.left().values()) >= wanted)

    def ended(self, status, said=b""):
        """The program, with all processes"""
        quick = until(lambda: self.run.poll() is not None and not self.left())
        assert quick, f"goes on: {self.left()}"
        assert self.run.returncode == status, f"status {self.run.returncode}, not {status}"
        text = self.run.stderr.read()
        assert text == said, text

    def idle(self):
        before = self.left()
        time.sleep(0.5)
        spent = {pid: ticks - before.get(pid, 0) for pid, ticks in self.left().items()}
        assert spent and sum(spent.values()) <= 2, f"busy: {spent}"

    def stop(self):
        for pid in self.left():
            kill(pid)
        self.run.wait()


def test(name, jobs, check, **how):
    batch = Batch(jobs, **how)
    try:
        check(batch)
        said = None
    except AssertionError as error:
        said = error
    batch.stop()
    done.append(said is None)
    print(f"{'not ' if said else ''}ok {len(done)} - {name} {' '.join(jobs)}", flush=True)
    if said:
        print(f"# {said}", flush=True)


def reader_goes_between_lines(batch):
    assert batch.run.stdout.readline(), "no answer"
    batch.run.stdout.close()
    batch.ended(3)


def reader_goes_at_a_long_line(batch):
    batch.busy(1)
    batch.run.stdout.close()
    batch.ended(3)


def parent_is_killed(batch):
    assert batch.busy(1), "not begun"
    batch.run.kill()
    batch.ended(-9)


def shell_is_killed(batch):
    """With it goes who writes the lines and reads the answers"""
    assert batch.busy(1), "not begun"
    batch.run.stdin.close()
    batch.run.stdout.close()
    batch.ended(3)


def workers_are_killed(batch):
    """Each kill costs the line that is asked, and no other; the parent is the least pid"""
    batch.run.stdin.close()
    killed = set()
    while batch.run.poll() is None and len(killed) < 100:
        assert until(lambda: batch.run.poll() is not None or any(
            ticks > 5 for pid, ticks in batch.left().items() if pid != batch.run.pid)), "not at it"
        for pid, ticks in batch.left().items():
            if pid != batch.run.pid and ticks > 5 and kill(pid):
                killed.add(pid)
    answers = [json.loads(line) for line in batch.run.stdout]
    kinds = ["line" if "error" in one else one["command"] for one in answers]
    assert kinds == ["kl-bound", "line"] * 3, kinds
    assert all("ended by the system" in one["error"] for one in answers[1::2]), answers
    batch.ended(3)


def idle_without_a_line(batch):
    assert until(batch.left), "not begun"
    time.sleep(0.2)
    batch.idle()
    batch.run.stdin.close()
    batch.ended(0)


def idle_after_a_line(batch):
    assert batch.run.stdout.readline(), "no answer"
    batch.idle()
    batch.run.stdin.close()
    batch.ended(0)


def idle_where_nobody_takes(batch):
    """The pipe of the answers is full"""
    size = [-1]

    def full():
        before, size[0] = size[0], sum(batch.left().values())
        time.sleep(0.2)
        return size[0] == before
    assert until(full), "goes on"
    batch.idle()
    assert batch.run.stdout.read().count(b"\n") == 1500
    batch.ended(0)


def not_blocking():
    """Ends of pipes that another program made not blocking are waited for"""
    for jobs in JOBS:
        ask_in, ask_out = os.pipe()
        answer_in, answer_out = os.pipe()
        os.set_blocking(ask_in, False)
        os.set_blocking(answer_out, False)

        def check(batch):
            os.close(ask_in)
            os.close(answer_out)
            time.sleep(0.2)
            batch.idle()
            os.write(ask_out, SHORT * 1200)  # fits; the answers do not
            os.close(ask_out)
            time.sleep(0.5)
            batch.idle()
            with os.fdopen(answer_in, "rb") as answers:
                assert answers.read().count(b"\n") == 1200, "not all answers"
            batch.ended(0)
        test("pipes that do not block are waited for", jobs, check, stdin=ask_in, stdout=answer_out)


def main():
    for jobs in JOBS:
        for name, how in (("", None), (", SIGTERM is passed over", deaf)):
            test("the reader goes at a long line" + name, jobs, reader_goes_at_a_long_line,
                 lines=LONG * 9, preexec=how)
            test("the program is killed" + name, jobs, parent_is_killed, lines=LONG * 9, preexec=how)
        test("the reader goes between lines", jobs, reader_goes_between_lines, lines=SHORT)
        test("the shell is killed", jobs, shell_is_killed, lines=LONG * 9)
        test("what answers is killed", jobs, workers_are_killed, lines=(SHORT + LONG) * 3)
        test("no line comes", jobs, idle_without_a_line)
        test("no further line comes", jobs, idle_after_a_line, lines=SHORT)
        test("nobody takes the answers", jobs, idle_where_nobody_takes,
             stdin=subprocess.Popen([sys.executable, "-c",
                                     f"import sys; sys.stdout.buffer.write({SHORT!r} * 1500)"],
                                    stdout=PIPE).stdout)
    not_blocking()
    print(f"1..{len(done)}")
    sys.exit(not all(done))


main()
