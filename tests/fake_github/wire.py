"""HTTP on loopback: reads requests, sends answers whole or cut short, and takes orders below `/_fake/`."""

import json
import sys
import threading
import time
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from fake_github.faults import Fault, sample_fault
from fake_github.rest import Reply

if TYPE_CHECKING:
    from fake_github.server import FakeGitHub

CONTROL = "/_fake/"


@dataclass
class Logged:
    """A request as it came, and how it was answered."""

    at: float  # seconds since 1970
    method: str
    path: str  # with query
    headers: dict[str, str]  # names in lower case
    body: str
    status: int = 0  # 0: not answered
    cost: int = 0  # in points or requests

    @property
    def request(self) -> str:
        return f"{self.method} {self.path}"


class Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: "FakeGitHub"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is its own business; anything else is a fault of the fake."""
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):
            self.fake.crashes.append(f"While answering: {error!r}")


def start_server(fake: "FakeGitHub", port: int = 0) -> Server:
    """Listens on a free port, until `shutdown`."""
    server = Server(("127.0.0.1", port), Handler)
    server.fake = fake
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if self.path.startswith(CONTROL):
            self.send(control(self.server.fake, f"{self.command} {self.path.removeprefix(CONTROL)}", body))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply, fault = self.server.fake.respond(Logged(time.time(), self.command, self.path, headers, body))
        if reply is None:
            self.close_connection = True
        else:
            self.send(reply, is_cut_short=fault.truncate)

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

    def send(self, reply: Reply, *, is_cut_short: bool = False) -> None:
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        payload = text.encode()
        self.send_response_only(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload[: len(payload) // 2] if is_cut_short else payload)
        self.close_connection |= is_cut_short

    def log_message(self, *_: Any) -> None:
        """Nothing on stderr: the fake's log is in `FakeGitHub.log`."""


def control(fake: "FakeGitHub", order: str, body: str) -> Reply:
    """Orders from another process: faults, switches, the log, a fresh start."""
    match order:
        case "POST faults":
            faults = json.loads(body)
            for fault in faults if isinstance(faults, list) else [faults]:
                fake.add_fault(sample_fault(**fault) if "name" in fault else Fault(**fault))
        case "POST switches":
            fake.set(**json.loads(body))
        case "GET log":
            return Reply(body=[asdict(entry) for entry in fake.log])
        case "POST reset":
            fake.reset()
        case _:
            return Reply(404, {"message": f"The fake takes no order {order!r}."})
    return Reply(body={"done": True})
