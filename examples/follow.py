"""Follows the change feed by polling, and goes on where it was after a break: python3 examples/follow.py"""

import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

url = os.environ.get("CATALOG_URL", "http://localhost:8080") + "/openapi/v1/events/poll"
cursor = pathlib.Path(os.environ.get("CURSOR_FILE", "feed.cursor"))
topic = sys.argv[1] if len(sys.argv) > 1 else "PlatformEvent_v1"


def poll():
    parameters = {"topic": topic}
    if cursor.exists():
        parameters["offsetId"] = cursor.read_text()
    request = urllib.request.Request(f"{url}?{urllib.parse.urlencode(parameters)}")
    request.add_header("Authorization", f"Bearer {os.environ['CATALOG_TOKEN']}")
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


while True:
    try:
        answer = poll()
    except (urllib.error.URLError, TimeoutError) as error:
        # 410: the cursor is older than the log. Read a snapshot, remove the file, and begin again.
        print(f"trying again: {error}", file=sys.stderr)
        time.sleep(1)
        continue
    for event in answer["events"]:
        value = json.loads(event["value"])
        print(f"{value['name']} {value['payload']['value']}" if "payload" in value else event["value"], flush=True)
    # After the events: one that is handled twice does less harm than one that is lost.
    # In one step: to be killed in the middle of it leaves the cursor before, and not an empty file.
    written = cursor.with_name(f"{cursor.name}.new")
    written.write_text(answer["offsetId"])
    written.replace(cursor)
