"""
What a valid request keeps besides its schema, where OpenAPI has no words for it. Requests that are to be invalid are
left as they are.
"""

import re
from urllib.parse import unquote

import schemathesis

MAX_SAFE_INTEGER = 2**53 - 1
MAX_URN_BYTES = 512


@schemathesis.hook
def filter_case(context, case):
    """The length of a URN counts in bytes, that of a text of JSON Schema in characters."""
    return not is_valid(case) or all(
        len(text.encode("utf-8", "surrogatepass")) <= MAX_URN_BYTES
        for part in (case.path_parameters, case.body)
        for text in map(unquote, texts(part))
        if text.startswith("urn:li:")
    )


@schemathesis.hook
def map_case(context, case):
    if is_valid(case):
        operation = case.operation.definition.raw.get("operationId", "")
        if case.query:
            drop_contradictions(operation, case.query, case.headers or {})
        if case.query and operation.startswith("list"):
            stay_in_the_catalog(case.query)
        if operation.startswith("writeAll"):
            case.body = without_keys(case.body)
        case.body = with_exact_integers(case.body)
    return case


def is_valid(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


# Which rules a valid request may break, by operation: those about what is stored.
STORED = {
    # Whether a patch fits depends on what it is applied to.
    r"^patch": {"PATCH_NOT_APPLICABLE", "ASPECT_INVALID", "RULE_VIOLATED"},
    # A structured property keeps its definition as long as it exists, with the type of its values.
    r"^deleteV3StructuredPropertyPropertyDefinition$": {"RULE_VIOLATED"},
    r"^writeV3StructuredPropertyPropertyDefinition$": {"REFERENCE_MISSING", "RULE_VIOLATED"},
}


@schemathesis.check
def breaks_rules_of_the_stored_only(ctx, response, case):
    """Takes the place of positive_data_acceptance for the operations above."""
    operation = case.operation.definition.raw.get("operationId", "")
    allowed = [codes for pattern, codes in STORED.items() if re.search(pattern, operation)]
    if not allowed or not is_valid(case) or not 400 <= response.status_code < 500:
        return
    code = response.json().get("code")
    assert response.status_code in (404, 409, 412, 422) or code in allowed[0], f"a valid request is refused: {code}"


def drop_contradictions(operation, query, headers):
    """Of parameters that exclude each other one is sent."""
    if operation.startswith("deleteV"):
        # A delete is either of some aspects, or of all but the key; the condition goes with neither.
        if is_true(query.get("clear")):
            query.pop("aspects", None)
        if is_true(query.get("clear")) or query.get("aspects"):
            headers.pop("If-Match", None)
    # Which part of a list, and of how many.
    if operation.startswith("list") and not is_slice(query):
        query.pop("sliceId", None)
        query.pop("sliceMax", None)
    # Only create, and only update.
    if operation.startswith("write") and is_true(query.get("createIfEntityNotExists")):
        query.pop("createIfNotExists", None)


def stay_in_the_catalog(query):
    """Queries have a syntax, sort fields are those of the entity, and scroll ids are handed out by the service."""
    if isinstance(query.get("query"), str):
        query["query"] = re.sub(r"[^\w]|_", " ", query["query"]).lower().strip() or "*"
    if query.get("sortCriteria"):
        query["sortCriteria"] = ["urn"]
    if query.get("sort"):
        query["sort"] = "urn"
    query.pop("scrollId", None)


def without_keys(items):
    """A key says what the URN says, or the item is refused."""
    kept = [
        {
            name: {key: inner for key, inner in value.items() if not key.endswith("Key")} if name == "aspects" else value
            for name, value in item.items()
            if not name.endswith("Key")
        }
        for item in items
    ]
    return [item for item in kept if item.get("aspects", len(item) > 1)]


def is_true(value):
    return str(value).lower() == "true"


def is_slice(query):
    if "sliceId" not in query and "sliceMax" not in query:
        return True
    return "sliceId" in query and "sliceMax" in query and int(query["sliceId"]) < int(query["sliceMax"])


def with_exact_integers(value):
    """Digits beyond 2^53 are refused and 1e300 is not: a schema cannot tell how a number is written."""
    if isinstance(value, dict):
        return {key: with_exact_integers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_exact_integers(inner) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_SAFE_INTEGER:
        return float(MAX_SAFE_INTEGER)
    return value


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
