"""
Sends each request once more, as it was sent, to a service of the other profile, and holds that answer to all the checks
that the first one is held to. To make up a request takes several times as long as to send it.
"""

import dataclasses
import os

import schemathesis
from kept_connection import exchange
from schemathesis.checks import CheckContext
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.transport import Response

URL = os.environ.get("OTHER_SERVICE_URL")
# Operations that were seen there to refuse who does not say who they are: schemathesis tries each of them once a run.
guarded = set()


if URL:

    @schemathesis.check
    def is_right_on_the_other_profile(ctx, response, case):
        if response.request.url.startswith(URL):
            return
        answer = send_again(response)
        there = context_of_the_other(ctx)
        for check in ctx.internals.checks:
            if check.__name__ == is_right_on_the_other_profile.__name__:
                continue
            try:
                check(there, answer, case)
            except (Failure, FailureGroup, AssertionError) as failure:
                causes = failure.exceptions if isinstance(failure, FailureGroup) else [failure]
                said = "; ".join(f"{cause}" for cause in causes)
                raise AssertionError(
                    f"{URL} answered {answer.status_code} {answer.content[:2000]!r}: {check.__name__}: {said}"
                ) from failure


def send_again(response):
    request = response.request.copy()
    scheme, _, rest = request.url.partition("://")
    request.url = URL + rest[rest.index("/") :]
    return Response.from_requests(exchange(request), verify=True)


def context_of_the_other(ctx):
    """What the checks ask by themselves they ask there, and what they keep of the answers is of one service."""
    there = CheckContext.__new__(CheckContext)
    there.config = ctx.config
    there.phase = ctx.phase
    there.auth_enforced_operations = None if ctx.auth_enforced_operations is None else guarded
    there.internals = dataclasses.replace(
        ctx.internals,
        transport_kwargs={**(ctx.internals.transport_kwargs or {}), "base_url": URL},
        recorder=None,
    )
    return there
