"""Serves one page to browsers on this machine.

The server listens on 127.0.0.1 only.  It answers requests that name this machine as their host, so
that a page of another site, whose name leads here, cannot read the source.
"""

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOOPBACK = "127.0.0.1"


def handler(text: str) -> type[BaseHTTPRequestHandler]:
    """The class that answers requests for a page."""
    content = text.encode("utf-8")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            port = self.server.server_address[1]
            if self.headers.get("Host") not in (f"{LOOPBACK}:{port}", f"localhost:{port}"):
                self.send_error(403, "the page is for this machine only")
            elif self.path.partition("?")[0] != "/":
                self.send_error(404)
            else:
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Requests are not printed."""

    return Handler


def serve(text: str, port: int = 0, tell: Callable[[str], None] = print) -> None:
    """Serves the page until it is interrupted; `tell` receives its address."""
    with ThreadingHTTPServer((LOOPBACK, port), handler(text)) as server:
        tell(f"http://{LOOPBACK}:{server.server_address[1]}/")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            tell("stopped")
