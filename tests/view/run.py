#!/usr/bin/env python3
"""run.py PROGRAM MASCOT: `trilobite page` and `trilobite view`, seen from outside: what is in the HTML file, and what the
server serves, refuses and survives. No browser is needed; build/web is not needed either."""
import base64, http.client, json, os, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time

PROGRAM, MASCOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FULL = os.environ.get("TRILOBITE_TESTS") == "full"
PAGE = "<!doctype html><title>test</title>\n<!--trilobite:data-->\n<p>the end\n"
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def run(*args):
    return subprocess.run([PROGRAM, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def make_project():
    """hero.t3dm with a stream and two textures, beside files that are nobody's business; also hero.glb."""
    subprocess.run([MASCOT, "hero.nlm"], check=True)
    subprocess.run([MASCOT, "hero.glb"], check=True)
    for args in (["convert", "-q", "hero.nlm", "hero.t3dm"], ["extract", "-q", "--textures", "hero.nlm"]):
        assert run(*args).returncode == 0, args
    write("page.html", PAGE.encode())
    write("secret.txt", b"secret")
    os.mkdir("below")
    write("below/secret.txt", b"secret")


# ---- page ----


@test
def page_holds_every_file():
    assert run("page", "hero.t3dm", "-o", "a.html", "--template", "page.html").returncode == 0
    head, tail = PAGE.split("<!--trilobite:data-->")
    html = read("a.html").decode()
    assert html.startswith(head) and html.endswith(tail)
    script = re.fullmatch(r'<script type="application/json" id="trilobite-files">(.*)</script>', html[len(head) : -len(tail)])
    data = json.loads(script[1])
    assert data["open"] == "hero.t3dm"
    names = [file["name"] for file in data["files"]]
    assert names == ["hero.t3dm", "hero.0.sdata", "hero-0.png", "hero-1.png"], names
    for file in data["files"]:
        assert base64.b64decode(file["base64"], validate=True) == read(file["name"]), file["name"]
    assert run("page", "hero.t3dm", "-o", "b.html", "--template", "page.html").returncode == 0
    assert read("a.html") == read("b.html")


@test
def page_escapes_names():
    name = 'a</script><!--"\\b.glb'.replace("/", "") + "é"
    shutil.copy("hero.glb", name)
    done = run("page", name, "-o", "-", "--template", "page.html")
    assert done.returncode == 0 and done.stdout.count("</script") == 1 and done.stdout.count("<!--") == 0
    script = re.search(r'id="trilobite-files">(.*)</script>', done.stdout)[1]
    assert "<" not in script and json.loads(script)["open"] == name


@test
def page_refuses():
    write("half.glb", read("hero.glb")[:5000])
    write("empty.html", b"")
    for args, code, text in (
        (["half.glb", "-o", "no.html", "--template", "page.html"], 3, "GLTF-TRUNCATED"),
        (["none.glb", "-o", "no.html", "--template", "page.html"], 3, "FILE-READ"),
        (["hero.glb", "-o", "no.html", "--template", "secret.txt"], 3, "<!--trilobite:data-->"),
        (["hero.glb", "-o", "no.html", "--template", "empty.html"], 3, "empty.html"),
        (["hero.glb", "--template", "page.html"], 2, "-o hero.html"),
        (["hero.glb", "-o", "hero.glb", "--template", "page.html"], 2, "which it is made of"),
        (["-", "-o", "no.html", "--template", "page.html"], 2, "FILE must be a file"),
        (["hero.glb", "-o", "none/no.html", "--template", "page.html"], 4, "none/no.html"),
    ):
        done = run("page", *args)
        assert done.returncode == code and text in done.stderr, (args, done)
        assert not os.path.exists("no.html")
    write("two.html", PAGE.encode() * 2)
    assert run("page", "hero.glb", "-o", "no.html", "--template", "two.html").returncode == 3


@test
def page_tells_what_is_missing():
    os.mkdir("alone")
    shutil.copy("hero.t3dm", "alone/hero.t3dm")
    done = run("page", "alone/hero.t3dm", "-o", "alone.html", "--template", "page.html", "--json")
    assert done.returncode == 0 and "hero-0.sprite was not found" in done.stderr, done
    assert len(json.loads(done.stdout)["missing"]) == 2
    done = run("page", "alone/hero.t3dm", "-o", "alone.html", "--template", "page.html", "--json", "--textures", ".")
    assert done.returncode == 0 and "was not found" not in done.stderr, done
    assert [file["name"] for file in json.loads(done.stdout)["files"]] == ["hero.t3dm", "hero-0.png", "hero-1.png"]


# ---- view ----


class View:
    """A server, and simple requests to it."""

    def __init__(self, *files):
        self.process = subprocess.Popen(
            [PROGRAM, "view", *files, "--template", "page.html", "--no-browser"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)", self.address)
        assert match, (self.address, self.process.stderr.read() if self.process.poll() else "")
        self.port, self.path = int(match[1]), match[2]

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(600)
        said = self.process.stderr.read()
        # The search for leaks can crash while threads end; the server has done its work then.
        searched = "LeakSanitizer has encountered a fatal error" not in said or "ERROR: AddressSanitizer" in said
        assert kind or code == 0 or not searched, f"exit code {code}: {said}"

    def get(self, url="", method="GET", path=None, headers={}, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(method, (self.path if path is None else path) + url, body, headers)
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def raw(self, data, wait=60.0):
        """What the server says to these bytes; b"" if it hangs up."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                got = b""
                while piece := connection.recv(65536):
                    got += piece
                return got
            except OSError:
                return b""

    def files(self):
        return json.loads(self.get("files.json").body)

    def alive(self):
        assert self.process.poll() is None, f"the server has ended: {self.process.stderr.read()}"
        answer = self.get()
        assert answer.status == 200 and b'id="trilobite-view"' in answer.body


class Events:
    """The versions that the server reports, with the time at which each arrived."""

    def __init__(self, view, headers={}):
        self.connection = http.client.HTTPConnection("127.0.0.1", view.port, timeout=600)
        self.connection.request("GET", view.path + "events", headers=headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200 and self.answer.getheader("Content-Type") == "text/event-stream"
        self.versions, self.news = [], threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            for line in self.answer:
                if line.startswith(b"data: "):
                    with self.news:
                        self.versions.append(json.loads(line[6:])["version"])
                        self.news.notify_all()
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass

    def wait(self, version, seconds=1.0):
        """A second is what is promised. On a machine that is busy with other things it may take longer: then only that
        it comes is asked for."""
        start = time.monotonic()
        with self.news:
            came = self.news.wait_for(lambda: self.versions and self.versions[-1] >= version, 600)
        took = time.monotonic() - start
        assert came, f"no version {version} after {took:.1f} s, but {self.versions}"
        if took > seconds:
            print(f"    version {version} took {took:.2f} s")


@test
def view_serves_page_and_files():
    with View("hero.t3dm", "hero.glb") as view:
        page = view.get()
        config = '<script type="application/json" id="trilobite-view">{"files":"files.json","events":"events"}</script>'
        assert page.status == 200 and page.body.decode() == PAGE.replace("<!--trilobite:data-->", config)
        assert page.getheader("Content-Type") == "text/html; charset=utf-8"
        listing = view.files()
        assert listing["version"] == 1 and [model["name"] for model in listing["models"]] == ["hero.t3dm", "hero.glb"]
        names = [file["name"] for file in listing["models"][0]["files"]]
        assert names == ["hero.t3dm", "hero.0.sdata", "hero-0.png", "hero-1.png"], names
        for model in listing["models"]:
            for file in model["files"]:
                assert view.get(file["url"]).body == read(file["name"]), file
        for url in ("", "files.json", listing["models"][0]["files"][0]["url"], "none"):
            answer = view.get(url)
            policy = answer.getheader("Content-Security-Policy")
            assert "default-src 'none'" in policy and "connect-src 'self'" in policy and "http" not in policy
            assert answer.getheader("X-Content-Type-Options") == "nosniff"
            assert answer.getheader("Cache-Control") == "no-store"
            assert not [name for name in answer.headers if name.lower().startswith("access-control")]
        head = view.get(method="HEAD")
        assert head.status == 200 and head.body == b"" and int(head.getheader("Content-Length")) == len(page.body)


@test
def view_serves_nothing_else():
    with View("hero.t3dm") as view:
        token = view.path.strip("/")
        other = "0" * 32
        for path in ("", "/", "/" + token, "/" + other + "/", "/" + other + "/files.json", "//" + token + "/",
                     "/" + token[:-1] + "/", "/" + token + "x/", "/" + token.upper() + "/" if token.upper() != token else "/x",
                     "/files.json", "/f/0/hero.t3dm", "*"):
            answer = view.raw(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\n\r\n".encode())
            assert b" 200 " not in answer.split(b"\r\n")[0], path
        for url in ("secret.txt", "f/0/secret.txt", "f/0/../secret.txt", "f/0/..%2fsecret.txt", "f/0/%2e%2e/%2e%2e/secret.txt",
                    "f/0/%2e%2e%2fsecret.txt", "..", "../", "../" + token + "/files.json", "f/0/../0/hero.t3dm", "f/1/hero.t3dm",
                    "f/-1/hero.t3dm", "f/00/hero.t3dm", "f//0/hero.t3dm", "f/0//hero.t3dm", "f/0/./hero.t3dm", "f/0/", "f/0", "f/",
                    "f/0/hero.t3dm/", "f/0/hero.t3dm%00", "f/0/hero.glb", "f/0/%68ero.t3dm", "f/0/" + os.path.abspath("secret.txt"),
                    "f/0//etc/passwd", "f/0/below/secret.txt", "f/18446744073709551616/hero.t3dm", "events/", "%66iles.json"):
            answer = view.raw(f"GET {view.path}{url} HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\n\r\n".encode())
            assert re.match(rb"HTTP/1.1 4\d\d ", answer), (url, answer[:100])
            assert b"secret" not in answer and b"T3M" not in answer, url
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            assert view.get(method=method, body=b"x" * 100000).status == 405, method
        view.alive()


@test
def view_checks_the_host():
    with View("hero.glb") as view:
        for host in ("localhost", "127.0.0.1"):
            assert view.get(headers={"Host": f"{host}:{view.port}"}).status == 200
        for host in ("evil.example", f"evil.example:{view.port}", "127.0.0.1", "localhost", f"127.0.0.1:{view.port}.evil.example",
                     f"[::1]:{view.port}", "", f"0.0.0.0:{view.port}"):
            assert view.get(headers={"Host": host}).status in (400, 403), host
        assert b" 200 " not in view.raw(f"GET {view.path} HTTP/1.1\r\n\r\n".encode()).split(b"\r\n")[0]
        assert b" 200 " not in view.raw(f"GET {view.path} HTTP/1.0\r\n\r\n".encode()).split(b"\r\n")[0]


@test
def view_listens_on_loopback_only():
    with View("hero.glb") as view:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # sends nothing
                probe.connect(("192.0.2.1", 9))
                own = probe.getsockname()[0]
        except OSError:
            own = "127.0.0.2"
        try:
            socket.create_connection((own, view.port), timeout=2).close()
            raise AssertionError(f"it answers at {own}")
        except (ConnectionError, socket.timeout, OSError):
            pass
        view.alive()


@test
def view_survives_nonsense():
    with View("hero.glb") as view:
        line = f"GET {view.path} HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\n".encode()
        for data in (b"", b"\0" * 1000, os.urandom(5000), b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", line, line[:-1],
                     line + b"A: " + b"x" * 1000000 + b"\r\n\r\n", line + b"A: b\r\n" * 20000 + b"\r\n",
                     b"GET /" + b"x" * 1000000 + b" HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                     line + b"Content-Length: 99999999999999999999\r\n\r\nx", line + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                     line + b"Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n" + b"x" * 10000):
            first = view.raw(data).split(b"\r\n")[0]
            assert first == b"" or re.match(rb"HTTP/1\.1 (200|4\d\d|505) ", first), (data[:60], first)
            view.alive()


@test
def view_survives_slow_clients():
    """They keep their connections for as long as they like; everybody else is served meanwhile."""
    with View("hero.glb") as view:
        line = f"GET {view.path}f/0/hero.glb HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\n\r\n".encode()
        slow = [socket.create_connection(("127.0.0.1", view.port)) for _ in range(100)]
        for step in range(10):
            for number, connection in enumerate(slow):
                connection.sendall(line[step * (1 + number % 3) : (step + 1) * (1 + number % 3)])
            start = time.monotonic()
            assert view.get("f/0/hero.glb").body == read("hero.glb")
            assert time.monotonic() - start < 300
        for connection in slow[:50]:  # ask, and do not read
            connection.sendall(line[10 * (1 + slow.index(connection) % 3) :])
        view.alive()
        for connection in slow:
            connection.close()
        view.alive()


@test
def view_serves_many_at_once():
    """200 at once, over and over: each is served or refused, and afterwards nothing of them is left."""
    good, bad = read("hero.glb"), []
    with View("hero.glb") as view:
        view.alive()
        held = len(os.listdir(f"/proc/{view.process.pid}/fd")) if os.path.isdir("/proc/self/fd") else None
        rounds, served = 50 if FULL else 5, [0] * 200

        def ask(number):
            for _ in range(rounds):
                try:
                    if number % 4 == 0:
                        with socket.create_connection(("127.0.0.1", view.port), timeout=600) as connection:
                            connection.sendall(b"GET " + view.path.encode())  # and goes away
                    elif number % 4 == 1:
                        if view.get("f/0/../secret.txt").status not in (400, 404):
                            bad.append("served what it should not")
                    elif view.get("f/0/hero.glb").body != good:
                        bad.append("other bytes")
                    else:
                        served[number] += 1
                except (OSError, http.client.HTTPException):
                    pass  # refused

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not bad, bad[0]
        assert sum(served) > 100, sum(served)
        view.alive()
        for _ in range(50):
            left = len(os.listdir(f"/proc/{view.process.pid}/fd")) if held else 0
            if not held or left <= held:
                break
            time.sleep(0.1)
        assert not held or left <= held, f"{left} descriptors are open, {held} were before"


@test
def view_reports_changes():
    with View("hero.t3dm") as view:
        view.files()
        events, texture = Events(view), read("hero-0.png")
        for version, change in enumerate((
            lambda: write("hero-0.png", texture + b"1"),  # in place
            lambda: (write("new.tmp", texture + b"2"), os.replace("new.tmp", "hero-0.png")),  # as most editors save
            lambda: os.remove("hero-0.png"),
            lambda: write("hero-0.png", texture),
            lambda: write("hero-0.sprite", b"\0\4\0\2\0\21\1\1abcdefgh"),  # the sprite is worth more than its source
            lambda: os.remove("hero-0.sprite"),
            lambda: write("hero.0.sdata", read("hero.0.sdata") + b"\0\0"),
        ), 2):
            change()
            events.wait(version)
            assert view.files()["version"] == version
            for file in view.files()["models"][0]["files"]:
                assert view.get(file["url"]).body == read(file["name"]), (version, file)
        time.sleep(0.6)
        assert events.versions == list(range(2, 9)), events.versions
        # A page whose connection was lost, or that has an older list, hears of it at once; another one does not.
        Events(view, {"Last-Event-ID": "7"}).wait(8)
        current = Events(view)
        write("hero.0.sdata", read("hero.0.sdata")[:-2])
        events.wait(9)
        current.wait(9)
        assert current.versions == [9], current.versions
        Events(view).wait(9)


@test
def view_survives_bad_saves():
    good = read("hero.glb")
    with View("hero.glb", "hero.t3dm") as view:
        view.files()
        events = Events(view)
        write("hero.glb", good[: len(good) // 2])
        events.wait(2)
        assert view.get("f/0/hero.glb").body == good[: len(good) // 2]
        os.remove("hero.glb")
        events.wait(3)
        assert view.get("f/0/hero.glb").status == 404
        listing = view.files()["models"]
        assert [model["name"] for model in listing] == ["hero.glb", "hero.t3dm"] and len(listing[0]["files"]) == 1
        write("hero.glb", good)
        events.wait(4)
        assert view.get("f/0/hero.glb").body == good
        write("hero.glb", good)  # the same bytes are no change
        write("secret.txt", b"secret")
        time.sleep(0.6)
        assert events.versions == [2, 3, 4], events.versions


@test
def view_follows_a_file_that_is_written_for_long():
    with View("hero.glb") as view:
        events, good = Events(view), read("hero.glb")
        end = time.monotonic() + 1.5
        with open("hero.glb", "wb") as file:
            while time.monotonic() < end:
                file.write(b"x")
                file.flush()
                time.sleep(0.02)
        write("hero.glb", good + b"    ")
        for _ in range(100):
            if view.get("f/0/hero.glb").body == good + b"    ":
                break
            time.sleep(0.1)
        assert view.get("f/0/hero.glb").body == good + b"    "
        assert 0 < len(events.versions) < 20, events.versions  # some in between, but not one for each write


@test
def view_does_not_follow_links():
    os.remove("hero-0.png")
    os.symlink(os.path.abspath("secret.txt"), "hero-0.png")
    with View("hero.t3dm") as view:
        names = [file["name"] for file in view.files()["models"][0]["files"]]
        assert names == ["hero.t3dm", "hero.0.sdata", "hero-1.png"], names
        assert view.get("f/0/hero-0.png").status == 404
        events = Events(view)
        os.remove("hero-1.png")
        os.symlink(os.path.abspath("secret.txt"), "hero-1.png")
        events.wait(2)
        assert view.get("f/0/hero-1.png").status == 404


@test
def view_ends_cleanly():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with View("hero.glb") as view:
            listeners = [Events(view) for _ in range(3)]
            half = socket.create_connection(("127.0.0.1", view.port))
            half.sendall(b"GET /")
            view.process.send_signal(number)
            assert view.process.wait(600) == 0, number
            assert len(listeners) == 3
            half.close()


@test
def view_refuses():
    for args, code, text in (
        (["none.glb", "--template", "page.html"], 3, "none.glb"),
        (["hero.glb", "none.glb", "--template", "page.html"], 3, "none.glb"),
        (["-", "--template", "page.html"], 2, "FILE must be a file"),
        (["hero.glb", "--template", "none.html"], 3, "none.html"),
        (["hero.glb", "--template", "secret.txt"], 3, "<!--trilobite:data-->"),
    ):
        done = run("view", "--no-browser", *args)
        assert done.returncode == code and text in done.stderr, (args, done)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in the background, and so would `view`
    probe = subprocess.run([PROGRAM, "view", "none"], capture_output=True, text=True)
    if "libmicrohttpd" in probe.stderr:
        print("this program has no server: libmicrohttpd was not there")
        return 77
    failed = 0
    for function in TESTS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                make_project()
                function()
                print(f"ok   {function.__name__}")
            except Exception as error:  # an assertion, or whatever a broken server causes
                failed += 1
                where = error.__traceback__
                while where.tb_next and where.tb_next.tb_frame.f_code.co_filename == __file__:
                    where = where.tb_next
                print(f"FAIL {function.__name__}, line {where.tb_lineno}: {type(error).__name__}: {error}")
            os.chdir("/")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
