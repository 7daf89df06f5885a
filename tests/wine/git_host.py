"""Runs the machine's git for git_shim.c, which asks for it on loopback.

    git_host.py PORT_FILE

The port is written to PORT_FILE. What is a path of Windows in the question is one of Linux for git.
"""

import os
import re
import socketserver
import struct
import subprocess
import sys


def of_linux(text):
    found = re.match(r"^(?:\\\\\?\\|//\?/)?([A-Za-z]):([\\/].*)?$", text)
    if not found:
        return text
    rest = (found.group(2) or "/").replace("\\", "/")
    drive = found.group(1).lower()
    return rest if drive == "z" else f"{os.environ['WINEPREFIX']}/drive_{drive}{rest}"


class Question(socketserver.BaseRequestHandler):
    def bytes(self, count):
        got = b""
        while len(got) < count:
            part = self.request.recv(count - len(got))
            if not part:
                raise EOFError
            got += part
        return got

    def number(self):
        return struct.unpack("<I", self.bytes(4))[0]

    def field(self):
        return self.bytes(self.number())

    def handle(self):
        words = [of_linux(self.field().decode()) for _ in range(self.number())]
        folder = of_linux(self.field().decode())
        variables = dict(os.environ)
        for _ in range(self.number()):
            name, value = self.field().decode().split("=", 1)
            variables[name] = of_linux(value)
        ran = subprocess.run(
            ["git", *words], cwd=folder, env=variables, input=self.field(), capture_output=True
        )
        printed = ran.stdout
        if "rev-parse" in words:
            printed = re.sub(rb"(?m)^/", b"Z:/", printed)
        for text in (printed, ran.stderr):
            self.request.sendall(struct.pack("<I", len(text)) + text)
        self.request.sendall(struct.pack("<i", ran.returncode))


class Host(socketserver.ThreadingTCPServer):
    daemon_threads = True


with Host(("127.0.0.1", 0), Question) as host:
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write(str(host.server_address[1]))
    host.serve_forever()
