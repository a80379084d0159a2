# SPDX-License-Identifier: MIT
"""A headless browser, driven through the DevTools protocol over two pipes: nothing but the browser is needed."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
from pathlib import Path
from typing import Any

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")

_PATIENCE = 60


def find() -> str | None:
    """The program, or None when there is none. FLAGTREE_TEST_BROWSER names another."""
    names = (os.environ.get("FLAGTREE_TEST_BROWSER", ""), *_NAMES)
    return next((found for name in names if name and (found := shutil.which(name))), None)


class Browser:
    """One page, as a context manager."""

    def __init__(self, program: str, profile: Path) -> None:
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        # The protocol's own numbers, in a shell: a child of a threaded process must not run Python before exec.
        script = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--remote-debugging-pipe",
        ]
        command = [program, *options, f"--user-data-dir={profile}", "--window-size=1400,900", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", script, "browser", *command],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._unread = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._to)
        os.close(self._from)
        try:
            self._process.wait(20)  # it ends with its pipes
        except subprocess.TimeoutExpired:
            self._process.kill()

    @property
    def errors(self) -> list[str]:
        """What went wrong on the page so far."""
        self.evaluate("0")
        bad = ("Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self._events if event["method"] in bad]

    def open(self, url: str) -> None:
        """Load a page and wait until it is there; a jump within the page loads nothing."""
        self._events.clear()
        if "loaderId" not in self.call("Page.navigate", url=url):
            return
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._events.append(self._read())

    def evaluate(self, script: str) -> Any:
        """The value of a script on the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def click(self, selector: str) -> None:
        """Click, as a mouse does, in the middle of what `selector` finds first."""
        box = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{box}.scrollIntoView()")
        x, y = self.evaluate(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol and its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if hasattr(self, "_session") and not method.startswith("Target."):
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self._events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._from], [], [], _PATIENCE)
            piece = os.read(self._from, 1 << 16) if ready else b""
            assert piece, "the browser ended" if ready else f"the browser said nothing for {_PATIENCE} s"
            self._unread += piece
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)
