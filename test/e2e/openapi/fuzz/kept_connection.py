"""
Sends requests on one connection to each service, each with one write. A run is tens of thousands of requests, and what `requests`
and `urllib3` do around each of them (environment, proxies, cookies, pools) took longer than to write it and to read its answer.
"""

import http.client
import io
import socket
import time
from datetime import timedelta
from urllib.parse import urlsplit

import requests
from requests.structures import CaseInsensitiveDict
from requests.utils import get_encoding_from_headers
from schemathesis.transport import requests as transport
from urllib3 import HTTPHeaderDict, HTTPResponse
from urllib3.exceptions import DecodeError

SECONDS = 60
DROPPED = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)
PARTS = ("method", "url", "headers", "params", "data", "json", "files", "auth", "cookies")

# By host and port. A run has one thread that sends.
kept = {}


def exchange(request):
    """The answer to a prepared request, read to its end. A redirect is an answer as well."""
    start = time.perf_counter()
    address = urlsplit(request.url)
    message = wire_form(request, address.netloc)
    place = (address.hostname, address.port)
    connection = kept.pop(place, None)
    try:
        try:
            reused = connection is not None
            connection = connection or connect(place)
            answer = send(connection, message, request.method)
        except DROPPED:
            # The service may end a connection that nothing came on for a while just when something does.
            if not reused:
                raise
            connection.close()
            connection = connect(place)
            answer = send(connection, message, request.method)
        content = answer.read()
    except TimeoutError as error:
        raise requests.ReadTimeout(error, request=request) from error
    except (OSError, http.client.HTTPException) as error:
        raise requests.ConnectionError(error, request=request) from error
    if answer.will_close:
        connection.close()
    else:
        kept[place] = connection
    return response_of(request, answer, content, time.perf_counter() - start)


def connect(place):
    connection = socket.create_connection(place, SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def wire_form(request, host):
    """The same bytes that urllib3 sends, but for the order of headers."""
    headers = request.headers
    lines = [f"{request.method} {request.path_url} HTTP/1.1"]
    if "Host" not in headers:
        lines.append(f"Host: {host}")
    if "Accept-Encoding" not in headers:
        lines.append("Accept-Encoding: identity")
    lines += [f"{text(name)}: {text(value)}" for name, value in headers.items()]
    body = request.body or b""
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body.encode() if isinstance(body, str) else body)


def text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else value


def send(connection, message, method):
    connection.sendall(message)
    answer = http.client.HTTPResponse(connection, method=method)
    answer.begin()
    return answer


class Raw:
    """What schemathesis asks urllib3 about an answer."""

    def __init__(self, answer):
        self.headers = HTTPHeaderDict(answer.headers.items())
        self.version = answer.version


def response_of(request, answer, content, seconds):
    response = requests.Response()
    response.status_code = answer.status
    response.reason = answer.reason
    response.raw = Raw(answer)
    response.headers = CaseInsensitiveDict(response.raw.headers)
    response.encoding = get_encoding_from_headers(response.headers)
    response.url = request.url
    response.request = request
    response.elapsed = timedelta(seconds=seconds)
    response._content = decoded(request, answer, content)
    return response


def decoded(request, answer, content):
    """Longer answers come compressed, as the headers of schemathesis accept it."""
    if answer.headers.get("Content-Encoding") is None:
        return content
    try:
        return HTTPResponse(io.BytesIO(content), headers=dict(answer.headers)).data
    except DecodeError as error:
        raise requests.exceptions.ContentDecodingError(error, request=request) from error


def request_of_a_case(session, data, max_stream_events):
    return exchange(requests.Request(**{name: data[name] for name in PARTS if name in data}).prepare())


transport._request = request_of_a_case
