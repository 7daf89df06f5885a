"""The play of .ci/engines: lines of 50 writers and 2,000 real hooks, through rsyslog into VictoriaLogs, while rsyslog is
restarted and killed and the file rotated; then the queries of docs/TEAM.md."""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request

TO = pathlib.Path(sys.argv[1])
TOP = pathlib.Path(__file__).resolve().parent.parent
PORT = 19428
HOOKS = int(os.environ.get("HOOKS", "2000"))
WRITERS, EACH = 50, 4000
page = (TOP / "docs/TEAM.md").read_text()
world = TO / "world"
shutil.rmtree(world, ignore_errors=True)
world.mkdir()
log = world / "verdicts.jsonl"


def check(holds, what):
    print(("ok: " if holds else "FAILED: ") + what, flush=True)
    if not holds:
        sys.exit(1)


def blocks(language, after):
    part = page[page.index(after):]
    part = part.split("\n## ", 2)[0] if after.startswith("#") else part
    return re.findall(rf"```{language}\n(.*?)```", part, re.S)


def query(text):
    data = urllib.parse.urlencode({"query": text, "limit": "1000000"}).encode()
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/select/logsql/query", data, timeout=60) as answer:
        return [json.loads(line) for line in answer.read().splitlines()]


def wait(is_there, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if is_there():
                return True
        except OSError:
            pass
        time.sleep(0.5)
    return False


engine = subprocess.Popen(
    [TO / "victoria-logs", f"-storageDataPath={world}/vl", f"-httpListenAddr=127.0.0.1:{PORT}", "-retentionPeriod=1y",
     "-inmemoryDataFlushInterval=1s"], stdout=subprocess.DEVNULL, stderr=open(world / "vl.log", "wb"))
section = page[page.index("## rsyslog"):]
configuration, queries = re.findall(r"```text\n(.*?)```", section, re.S)[:2]
configuration = configuration.replace("/var/log/attest/", f"{world}/").replace(":9428/", f":{PORT}/")
modules = TO / "rsyslog/usr/lib/x86_64-linux-gnu/rsyslog"
(world / "work").mkdir()
(world / "rsyslog.conf").write_text(f'global(workDirectory="{world}/work")\n{configuration}')
collector = None


def start():
    global collector
    libraries = TO / "rsyslog/usr/lib/x86_64-linux-gnu"
    environment = dict(os.environ, LD_LIBRARY_PATH=str(libraries))
    collector = subprocess.Popen(
        [TO / "rsyslog/usr/sbin/rsyslogd", "-n", "-f", world / "rsyslog.conf", "-i", world / "rsyslog.pid", "-M", modules],
        env=environment, stdout=subprocess.DEVNULL, stderr=open(world / "rsyslog.log", "ab"))


def end(how):
    collector.send_signal(how)
    collector.wait(120)


try:
    check(wait(lambda: query("* | stats count() as n") is not None, 60), "the engine answers")
    start()
    test = subprocess.Popen(
        ["cargo", "test", "--quiet", "--package", "attest-base", "--lib", "--", "--ignored", "fifty_writers"],
        cwd=TOP, env=dict(os.environ, ATTEST_ENGINE_FILE=str(log)))

    home = world / "home"
    (home / ".attest").mkdir(parents=True)
    (home / ".attest/settings.toml").write_text(f'[export]\nfile = "{log}"\nsalt = "team"\n')
    repository = world / "repository"
    repository.mkdir()
    git = dict(os.environ, HOME=str(home), GIT_CONFIG_GLOBAL="/dev/null")
    for args in (["init", "-q"], ["-c", "user.name=T", "-c", "user.email=t@e.x", "commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *args], cwd=repository, env=git, check=True)
    bare = {"HOME": str(home), "PATH": os.environ["PATH"]}

    def hook(at):
        payload = {"session_id": "s", "cwd": str(repository), "agent_id": f"{at:x}", "agent_type": "Explore",
                   "transcript_path": None, "last_assistant_message": "Status: DONE\nFiles changed: ghost.py"}
        for verb in ("start", "stop"):
            subprocess.run([TOP / "target/debug/attest", "hook", verb], input=json.dumps(payload).encode(), env=bare,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    hooks = concurrent.futures.ThreadPoolExecutor(4)
    running = [hooks.submit(hook, at) for at in range(HOOKS)]

    # Ten rotations, five restarts and two kills, for as long as lines come.
    rotated = []
    turns = ["rename"] * 10 + ["restart"] * 5 + ["kill"] * 2
    turns = [turns[(at * 7) % len(turns)] for at in range(len(turns))]
    for turn in turns:
        time.sleep(3)
        if turn == "rename":
            name = log.with_name(f"verdicts.jsonl.{len(rotated) + 1}")
            if log.exists():
                log.rename(name)
                rotated.append(name)
        else:
            end(signal.SIGTERM if turn == "restart" else signal.SIGKILL)
            start()
    concurrent.futures.wait(running)
    check(all(it.exception() is None for it in running), f"{HOOKS} hooks ended well")
    check(test.wait() == 0, "50 writers ended well")
    expected = collections.Counter()
    for file in [*rotated, log]:
        if file.exists():
            expected.update(json.loads(line)["log.record.uid"] for line in file.read_text().splitlines())
    check(len(expected) == WRITERS * EACH + HOOKS and set(expected.values()) == {1},
          f"the files have {len(expected)} lines, none torn and none twice")

    def arrived():
        return int(query("* | stats count_uniq(log.record.uid) as n")[0]["n"]) >= len(expected)

    wait(arrived, 300)
    rows = query("* | stats count() as rows, count_uniq(log.record.uid) as uids")[0]
    uids, twice = int(rows["uids"]), int(rows["rows"]) - int(rows["uids"])
    check(uids == len(expected), f"every uid is in the engine: {uids} of {len(expected)}")
    again = {row["log.record.uid"] for row in query("* | stats by (log.record.uid) count() as n | filter n:>1")}
    for file in [*rotated, log]:
        lines = file.read_text().splitlines() if file.exists() else []
        numbers = [at for at, line in enumerate(lines, 1) if json.loads(line)["log.record.uid"] in again]
        if numbers:
            print(f"{len(numbers)} of {len(lines)} lines of {file.name} came twice, {numbers[0]} to {numbers[-1]}")
    check(twice <= len(expected) // 1000, f"{twice} lines are there twice")
    for text in queries.strip().splitlines():
        began = time.monotonic()
        found = query(text)
        print(f"{time.monotonic() - began:.2f} s, {len(found)} rows: {text}")
    check(found == [], "no machine has a hole")

    # A file that is lost: what was in it, and nothing else, is missing.
    import chdb

    files = [it for it in [*rotated, log] if it.exists()]
    lost = max(files[1:-1] or files, key=lambda file: file.stat().st_size)
    gone = collections.defaultdict(set)
    for line in lost.read_text().splitlines():
        record = json.loads(line)
        gone[record["attest.instance"]].add(record["attest.sequence"])
    left = world / "left.jsonl"
    with left.open("wb") as out:
        for file in files:
            if file != lost:
                out.write(file.read_bytes())
    whole = world / "whole.jsonl"
    with whole.open("wb") as out:
        for file in files:
            out.write(file.read_bytes())
    last = collections.Counter()
    for line in left.read_text().splitlines():
        record = json.loads(line)
        last[record["attest.instance"]] = max(last[record["attest.instance"]], record["attest.sequence"])
    sql = re.findall(r"```sql\n(.*?)```", page, re.S)
    for text in sql:
        # A busy machine may keep any process waiting, and does not do so each time.
        for _ in range(20):
            began = time.monotonic()
            answer = str(chdb.query(text.replace("verdicts.jsonl", str(whole)), "JSONEachRow")).splitlines()
            took = time.monotonic() - began
            print(f"{took:.2f} s, {len(answer)} rows: {text.split(chr(10))[0]}")
            if took < 2:
                break
            time.sleep(5)
        check(took < 2, "a query of ClickHouse in under 2 s")
    check(answer == [], "no hole in ClickHouse either")
    found = collections.defaultdict(set)
    for row in str(chdb.query(sql[-1].replace("verdicts.jsonl", str(left)), "JSONEachRow")).splitlines():
        row = json.loads(row)
        found[row["instance"]].update(range(int(row["first"]), int(row["last"]) + 1))
    # The last lines of a machine are no hole until its next one comes.
    expected_holes = {name: {it for it in numbers if it < last[name]} for name, numbers in gone.items()}
    expected_holes = {name: numbers for name, numbers in expected_holes.items() if numbers}
    check(dict(found) == expected_holes, f"the holes are the {sum(map(len, expected_holes.values()))} lines of the lost file")
finally:
    for process in (collector, engine):
        if process is not None and process.poll() is None:
            process.terminate()
            process.wait(60)
