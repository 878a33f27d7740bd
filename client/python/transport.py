"""Sends requests of the generated methods with the standard library, and turns error answers into exceptions."""

from __future__ import annotations

import http.client
import json
import mimetypes
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path
from typing import Any, Callable, ClassVar, Dict, Iterator, Mapping, Optional, Tuple, Type, Union

File = Union[str, os.PathLike[str], Tuple[str, bytes]]
"""A path, or the name and the content of a file."""


class OvertureError(Exception):
    """The server refused a request, or something else answered. Subclasses stand for the codes of the API."""

    of_code: ClassVar[Dict[str, Type[OvertureError]]] = {}

    def __init__(
        self,
        code: str,
        message: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        detail: Any = None,
    ) -> None:
        super().__init__(message)
        #: The code of the answer, `NO_ANSWER` if none arrived, or `NOT_THE_CONTRACT` if it has another form.
        self.code = code
        self.message = message
        #: The HTTP status, if an answer arrived.
        self.status = status
        #: The id of the request. Quote it in reports.
        self.request_id = request_id
        #: Details of the answer, by its code.
        self.detail = detail

    def __str__(self) -> str:
        suffix = "" if self.request_id is None else f" ({self.request_id})"
        return f"{self.code}: {self.message}{suffix}"


class NoAnswerError(OvertureError):
    """No complete answer arrived, so it is unknown whether the request was carried out."""

    def __init__(self, message: str) -> None:
        super().__init__("NO_ANSWER", message)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API has no redirects, and a redirect would send the key to another server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_broken = (urllib.error.URLError, http.client.HTTPException, OSError)


_cut = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, http.client.IncompleteRead)

_waits = (0.25, 1, 2, 5, 5, 5, 5, 5, 5, 5)
"""Seconds before a request is sent again."""


def _was_open(error: BaseException) -> bool:
    """Whether a connection that was open broke, so that the request may have been carried out."""
    cause = error.__cause__
    return isinstance(cause.reason if isinstance(cause, urllib.error.URLError) else cause, _cut)


def _multipart(fields: Mapping[str, Any]) -> Tuple[str, bytes]:
    """The content type and the body of a form. Tuples and paths of the field `file` become files."""
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in fields.items():
        if value is None:
            continue
        head = f'Content-Disposition: form-data; name="{name}"'
        if name == "file":
            file, content = value if isinstance(value, tuple) else (Path(value).name, Path(value).read_bytes())
            quoted = file.replace("\\", "%5C").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
            kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
            head += f'; filename="{quoted}"\r\nContent-Type: {kind}'
        else:
            content = str(value).encode()
        parts.append(f"--{boundary}\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + f"--{boundary}--\r\n".encode()


def _error(status: int, text: bytes) -> OvertureError:
    try:
        answer = json.loads(text)
        code, message = answer["error"], answer["message"]
    except (ValueError, KeyError, TypeError):
        return OvertureError("NOT_THE_CONTRACT", f"The answer has status {status} and no error code", status)
    kind = OvertureError.of_code.get(code, OvertureError)
    return kind(code, message, status, answer.get("request_id"), answer.get("detail"))


def _query(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


class Transport:
    """Sends requests with an API key to the server at `base_url`, such as `http://127.0.0.1:3000`."""

    def __init__(self, base_url: str, key: str, *, timeout: float = 600) -> None:
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def _open(
        self,
        method: str,
        path: str,
        params: Mapping[str, Any],
        query: Mapping[str, Any],
        headers: Mapping[str, Optional[str]],
        body: Any,
        form: Optional[Mapping[str, Any]],
        timeout: float,
    ) -> Any:
        url = self._base_url + path.format(**{name: urllib.parse.quote(str(value), "") for name, value in params.items()})
        given = {name: _query(value) for name, value in query.items() if value is not None}
        request = urllib.request.Request(url + ("?" + urllib.parse.urlencode(given) if given else ""), method=method)
        request.add_header("Authorization", "Bearer " + self._key)
        if form is not None:
            kind, request.data = _multipart(form)
            request.add_header("Content-Type", kind)
        elif body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        for name, text in headers.items():
            if text is not None:
                request.add_header(name, text)
        for resent in range(6):
            try:
                return self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as error:
                wait = error.headers.get("Retry-After") or ""
                # A request that came too soon was not carried out.
                too_soon = error.code == 429 and error.headers.get("X-RateLimit-Remaining") == "0"
                with error:
                    if not (too_soon and wait.isdigit() and resent < 5):
                        raise _error(error.code, error.read()) from None
                time.sleep(int(wait))
            except _broken as error:
                raise NoAnswerError(f"No answer from {self._base_url}: {error}") from error
        raise AssertionError("unreachable")

    def _send(
        self,
        method: str,
        path: str,
        params: Mapping[str, Any] = {},
        query: Mapping[str, Any] = {},
        headers: Mapping[str, Optional[str]] = {},
        body: Any = None,
        form: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """
        The body of the answer: parsed JSON, or text. If the connection breaks, or a proxy answers with 502, 503 or 504, a
        request that only reads or that has an Idempotency-Key is sent again.
        """
        repeatable = method == "GET" or "Idempotency-Key" in headers
        for resent, wait in enumerate((*_waits, None)):
            try:
                return self._answer(method, path, params, query, headers, body, form)
            except OvertureError as error:
                # Where nothing was sent, as to an address without a server, the first request is not sent again.
                broken = isinstance(error, NoAnswerError) and (resent > 0 or _was_open(error))
                # The first request is still in progress, or its server died with the key, which is then in use for half a minute.
                in_use = resent > 0 and method != "GET" and error.code == "CONFLICT"
                # A proxy without its server. An error of the server itself has a code, and would be the same again.
                from_proxy = error.code == "NOT_THE_CONTRACT" and error.status in (502, 503, 504)
                if wait is None or not repeatable or not (broken or in_use or from_proxy):
                    raise
            time.sleep(wait)
        raise AssertionError("unreachable")

    def _answer(
        self,
        method: str,
        path: str,
        params: Mapping[str, Any],
        query: Mapping[str, Any],
        headers: Mapping[str, Optional[str]],
        body: Any,
        form: Optional[Mapping[str, Any]],
    ) -> Any:
        try:
            with self._open(method, path, params, query, headers, body, form, self._timeout) as response:
                text = response.read().decode()
                kind = response.headers.get_content_type()
        except _broken as error:
            raise NoAnswerError(f"The connection broke while the answer was sent: {error}") from error
        try:
            return json.loads(text) if kind == "application/json" else text
        except ValueError:
            raise OvertureError("NOT_THE_CONTRACT", "The answer is not JSON", response.status) from None

    def _events(self, method: str, path: str, params: Mapping[str, Any]) -> Iterator[Any]:
        """Server-sent events with their data parsed, until the event `end`."""
        event: Dict[str, Any] = {}
        try:
            # The server sends a comment every 15 seconds, so a longer silence means a dead connection.
            with self._open(method, path, params, {}, {}, None, None, 45) as response:
                for line in response:
                    name, _, value = line.decode().rstrip("\r\n").partition(":")
                    value = value[1:] if value.startswith(" ") else value
                    if name == "data":
                        event["data"] = event["data"] + "\n" + value if "data" in event else value
                    elif name in ("id", "event"):
                        event[name] = value
                    if name != "" or value != "" or "data" not in event:
                        continue
                    yield {**event, "data": json.loads(event["data"])}
                    if event.get("event") == "end":
                        return
                    event = {}
        except _broken as error:
            raise NoAnswerError(f"The connection broke while events were sent: {error}") from error
        raise NoAnswerError("The events ended early: request them again")

    @staticmethod
    def _once(key: Optional[str]) -> Mapping[str, Optional[str]]:
        """The header of a request that may be sent again, by default with a new key."""
        return {"Idempotency-Key": str(uuid.uuid4()) if key is None else key}

    @staticmethod
    def _items(field: str, page: Callable[[int, int], Any]) -> Iterator[Any]:
        """The items of every page, which is requested when it is needed."""
        offset = 0
        while True:
            answer = page(100, offset)
            yield from answer[field]
            if not answer["has_more"] or not answer[field]:
                return
            offset += len(answer[field])
