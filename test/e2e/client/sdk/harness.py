"""What the scripts here share: a client, and steps whose outcomes are printed as one JSON object."""

import json
import os
import sys
from typing import Any, Callable, Dict

from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig

SERVER = os.environ["DATAHUB_GMS_URL"]
TOKEN = os.environ["DATAHUB_GMS_TOKEN"]

outcomes: Dict[str, Any] = {}


def connect() -> DataHubGraph:
    return DataHubGraph(DatahubClientConfig(server=SERVER, token=TOKEN))


def step(name: str) -> Callable[[Callable[[], Any]], None]:
    """Runs the function at once; what it returns, or the error it raises, is the outcome of the step."""

    def run(function: Callable[[], Any]) -> None:
        assert name not in outcomes, name
        try:
            outcomes[name] = plain(function())
        except Exception as error:
            outcomes[name] = {"error": type(error).__name__, "text": str(error)}

    return run


def plain(value: Any) -> Any:
    """Aspects and URNs as JSON."""
    if hasattr(value, "to_obj"):
        return value.to_obj()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return str(value)


def finish() -> None:
    json.dump(outcomes, sys.stdout)
