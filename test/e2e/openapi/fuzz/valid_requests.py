"""
What a valid request keeps besides its schema, where OpenAPI has no words for it. Requests that are to be invalid are
left as they are.
"""

import gc
import re
from urllib.parse import unquote

import known_settings  # noqa: F401 (replaces a function)
import other_service  # noqa: F401 (registers a check, and replaces a function)
import repeated_letters  # noqa: F401 (replaces a function)
import schemathesis
from schemathesis.core.version import SCHEMATHESIS_VERSION
from schemathesis.generation import GenerationMode

# What is replaced is not of the interface of schemathesis: in another version it may be elsewhere, unnoticed.
if SCHEMATHESIS_VERSION != "4.32.5":
    raise RuntimeError(f"the hooks are written for schemathesis 4.32.5, and this is {SCHEMATHESIS_VERSION}")

# Documents and strategies are millions of objects that stay: to look at them for garbage, again and again, took a fifth of the
# time of a run over boundaries.
gc.set_threshold(1_000_000, 50, 1000)

MAX_SAFE_INTEGER = 2**53 - 1
MAX_URN_BYTES = 512


@schemathesis.hook
def filter_case(context, case):
    """The length of a URN counts in bytes, that of a text of JSON Schema in characters."""
    if not is_valid(case):
        return not has_nulls_of_other_actions(case)
    # Every schema of a JSON object allows this name, and no body may have it.
    if has_member(case.body, "__proto__"):
        return False
    return all(
        len(text.encode("utf-8", "surrogatepass")) <= MAX_URN_BYTES
        for part in (case.path_parameters, case.query, case.body)
        for text in map(unquote, texts(part))
        if text.startswith("urn:li:")
    )


@schemathesis.hook
def map_case(context, case):
    return keep_the_rules(case)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Requests that are made of the examples of a document are not mapped."""
    keep_the_rules(case)
    # What was changed is looked at once more then, and a body that may be left out is taken for a missing one.
    # Each time that it is asked for `meta`, a case looks for changes of all its parts.
    meta = case.meta
    if meta is not None and getattr(meta.phase.data, "description", None) == "Positive test case":
        meta.generation.mode = GenerationMode.POSITIVE


def keep_the_rules(case):
    if is_valid(case):
        operation = case.operation.definition.raw.get("operationId", "")
        mark_headers(case.headers or {})
        (case.headers or {}).pop("Last-Event-ID", None)
        if case.query:
            drop_contradictions(operation, case.query, case.headers or {}, case.body)
        if case.query:
            stay_in_the_catalog(operation, case.query)
        if operation in ACTIONS_OF:
            name_the_action(case)
        if {"entity", "urn"} <= set(case.path_parameters or {}):
            # The kind of the entity is that of the URN.
            case.path_parameters["entity"] = kind_of(unquote(case.path_parameters["urn"]))
        if operation in READS:
            read_the_key(case)
        if operation in BATCHES and case.body:
            # All items of a batch are of one kind.
            kind = case.path_parameters["entity"] = kind_of(case.body[0]["urn"])
            case.body = [item for item in case.body if kind_of(item["urn"]) == kind]
        if operation.endswith("Generic") and isinstance(case.body, dict):
            case.body = by_their_kind(case.body)
        if operation == "scrollEntities" and isinstance(case.body, dict) and case.body.get("sortCriteria"):
            case.body["sortCriteria"] = [{**key, "field": "urn"} for key in case.body["sortCriteria"]]
        if operation.startswith("writeAll"):
            case.body = without_keys(case.body)
        case.body = with_exact_integers(case.body)
    return case


BATCHES = {"writeEntities", "patchEntities", "batchGetEntities"}
READS = {"listEntities", "getEntity", "getEntityAspect", "aspectExists"}

CONDITIONS = {
    "If-Match": "*",
    "If-None-Match": "*",
    "If-Modified-Since": "2026-01-31T12:00:00.000Z",
    "If-Unmodified-Since": "2026-01-31T12:00:00.000Z",
}


def mark_headers(headers):
    """Boundaries of headers are made of letters and digits only, whatever their pattern asks for."""
    for name, condition in CONDITIONS.items():
        if str(headers.get(name, "*")).isalnum():
            headers[name] = condition


def read_the_key(case):
    """Not every entity has every aspect, but each has its key."""
    key = f"{case.path_parameters['entity']}Key"
    if "aspect" in case.path_parameters:
        case.path_parameters["aspect"] = key
    if case.query and case.query.get("aspects"):
        case.query["aspects"] = [key]


def kind_of(urn):
    return urn.split(":")[2]


def is_valid(case):
    meta = case.meta
    return meta is not None and meta.generation.mode.is_positive


# What OpenAPI has no words for in the requests of an operation, by the codes of the answers.
SAID_ELSEWHERE = {
    # Values of aspects are described in the documents of their entities, and records in the model.
    r"Generic$": {"ASPECT_UNKNOWN", "ASPECT_KIND_WRONG", "ASPECT_INVALID", "RULE_VIOLATED", "REFERENCE_MISSING", "PATCH_NOT_APPLICABLE"},
    # Which entities have which aspects, and what these hold, is said in the documents of the entities.
    r"^(write|patch|batchGet)Entities$|^deleteEntity$|^(write|patch|delete)Aspect$": {"ASPECT_UNKNOWN"},
    r"^writeAspect$": {"ASPECT_INVALID"},
    # Inside a proposal the value is text, and its URN and aspect must be of its entity type.
    r"^(propose|proposeV1|callAspects)$": {
        "ASPECT_INVALID", "ASPECT_UNKNOWN", "ASPECT_KIND_WRONG", "JSON_MALFORMED", "PROPOSAL_MALFORMED",
        "MEDIA_TYPE_UNSUPPORTED", "PATCH_MALFORMED",
        "URN_MALFORMED", "RULE_VIOLATED", "REFERENCE_MISSING", "PATCH_NOT_APPLICABLE", "PARAMETER_INVALID",
        "FILTER_INVALID",
    },
    r"^(writeEntitiesV1|deleteEntitiesV1|getEntitiesV1)$": {
        "ASPECT_INVALID", "ASPECT_UNKNOWN", "PROPOSAL_MALFORMED", "URN_MALFORMED", "RULE_VIOLATED", "REFERENCE_MISSING",
        "JSON_MALFORMED",
    },
    # Records of snapshots have the names of the model; a field holds what it holds.
    r"^callEntities$": {
        "ASPECT_INVALID", "ASPECT_UNKNOWN", "ENTITY_UNKNOWN", "PROPOSAL_MALFORMED", "URN_MALFORMED", "RULE_VIOLATED",
        "REFERENCE_MISSING", "FILTER_INVALID", "PARAMETER_INVALID", "FIELD_UNKNOWN",
    },
    # All conditions but EXISTS and IS_NULL need values; no entity has every aspect.
    r"^scrollEntities$": {"FILTER_INVALID", "ASPECT_UNKNOWN"},
    # The URL of a webhook leads to an address that may be reached, its name has certain letters, and cursors are handed out.
    r"^callOperations$": {"ASPECT_UNKNOWN", "ASPECT_KIND_WRONG", "PARAMETER_INVALID"},
    # An event is of a run, a job or a dataset, and names become URNs.
    r"^receiveLineageEvent$": {"PARAMETER_INVALID", "URN_MALFORMED"},
    # Not every entity has every aspect.
    r"^(listEvents|getAspect)$": {"ASPECT_UNKNOWN"},
    # Nor is every aspect a time series; groups, sums and filters are of the fields that it has.
    r"^callAnalytics$": {"ASPECT_UNKNOWN", "ASPECT_KIND_WRONG", "PARAMETER_INVALID", "PARAMETER_MISSING", "FILTER_INVALID"},
}

# Which rules a valid request may break, by operation: those about what is stored.
STORED = {
    # Whether a patch fits depends on what it is applied to.
    r"^patch": {"PATCH_NOT_APPLICABLE", "ASPECT_INVALID", "RULE_VIOLATED", "REFERENCE_MISSING"},
    # A key says what the URN says.
    r"^writeV[23].*Key$": {"RULE_VIOLATED"},
    # Values are those of properties that exist, and of their types.
    r"^writeV[23].*StructuredProperties$": {"REFERENCE_MISSING", "RULE_VIOLATED"},
    r"^writeAllV[23]": {"REFERENCE_MISSING", "RULE_VIOLATED"},
    # What is denied must be checked by itself, and types of entities are those of the model.
    r"^writeV[23].*DataHubPolicyInfo$": {"RULE_VIOLATED"},
    # A structured property keeps its definition as long as it exists, with the type of its values.
    r"^deleteV[23]StructuredPropertyPropertyDefinition$": {"RULE_VIOLATED"},
    r"^writeV[23]StructuredPropertyPropertyDefinition$": {"REFERENCE_MISSING", "RULE_VIOLATED"},
}


@schemathesis.check
def breaks_rules_of_the_stored_only(ctx, response, case):
    """Takes the place of positive_data_acceptance for the operations above."""
    operation = case.operation.definition.raw.get("operationId", "")
    allowed = [codes for pattern, codes in (*SAID_ELSEWHERE.items(), *STORED.items()) if re.search(pattern, operation)]
    if not allowed or not is_valid(case) or not 400 <= response.status_code < 500:
        return
    code = response.json().get("code")
    assert response.status_code in (404, 409, 412, 422) or code in set().union(*allowed), f"a valid request is refused: {code}"


@schemathesis.check
def answers_json_or_nothing(ctx, response, case):
    """Takes the place of what compares answers with their schema for the actions on entities and on their use."""
    if case.operation.definition.raw.get("operationId") not in ("callEntities", "callUsageStats"):
        return
    if response.status_code == 200 and (case.query or {}).get("action") in ("ingest", "batchIngest"):
        assert response.content == b"", "ingest answers nothing"
    else:
        assert response.headers["content-type"][0].startswith("application/json"), "the answer is no JSON"
        assert isinstance(response.json(), dict), "the answer is no object"


def drop_contradictions(operation, query, headers, body):
    """Of parameters that exclude each other one is sent."""
    if operation.startswith("deleteV") or operation == "deleteEntity":
        # A delete is either of some aspects, or of all but the key; the condition goes with neither.
        if is_true(query.get("clear")):
            query.pop("aspects", None)
        if is_true(query.get("clear")) or query.get("aspects"):
            headers.pop("If-Match", None)
    # Which part of a list, and of how many.
    if not is_slice(query):
        query.pop("sliceId", None)
        query.pop("sliceMax", None)
    # Only create, and only update.
    if operation.startswith("write") and is_true(query.get("createIfEntityNotExists")):
        query.pop("createIfNotExists", None)
    # Events can only be added, whatever is there already; so a batch with events among its aspects takes neither.
    if operation.startswith(("writeAll", "writeGeneric", "writeEntities")) and has_member(body, "timestampMillis"):
        query.pop("createIfNotExists", None)
        query.pop("createIfEntityNotExists", None)
    # Of the events, those of the change log have no category.
    if operation in ("pollEvents", "streamEvents") and query.get("topic") != "PlatformEvent_v1":
        query.pop("category", None)


def stay_in_the_catalog(operation, query):
    """Queries have a syntax, sort fields are those of the entity, and the service hands out scroll ids and cuts of exports."""
    if isinstance(query.get("query"), str):
        query["query"] = re.sub(r"[^\w]|_", " ", query["query"]).lower().strip() or "*"
    if query.get("sortCriteria"):
        query["sortCriteria"] = ["urn"]
    if query.get("sort"):
        query["sort"] = "urn"
    query.pop("scrollId", None)
    query.pop("offsetId", None)
    query.pop("consumer", None)
    query.pop("cut", None)
    query.pop("skipLines", None)
    # Lists in a query have a form of their own.
    if "ids" in query:
        query["ids"] = "List(urn:li:tag:pii,urn:li:corpuser:ann)"
        query.pop("aspects", None)
    if operation == "getEntitiesVersionedV2":
        query["ids"] = "List((urn:urn:li:tag:pii,versionStamp:tagProperties:0))"
        query["entityType"] = "tag"
    if operation.startswith("getEntityV2") or operation == "getSnapshot":
        query.pop("aspects", None)


def by_their_kind(body):
    """Items stand under the kind of entity that their URN is of."""
    items = {}
    for item in (item for listed in body.values() for item in listed):
        items.setdefault(kind_of(item["urn"]), []).append(item)
    return items


ACTIONS_OF = {"callAspects", "callEntities", "callRuns", "callOperations", "callUsageStats"}


def name_the_action(case):
    """A body is that of one action, whose parameters are its members; which one it is, the query must say."""
    raw = case.operation.schema.raw_schema["components"]["schemas"]
    operation = case.operation.definition.raw["operationId"]
    resource = operation.removeprefix("call")
    calls = [call["$ref"].rpartition("/")[2] for call in raw[f"C{operation[1:]}Body"]["anyOf"]]
    given = set(case.body) if isinstance(case.body, dict) else set()
    fitting = [
        action_named(call.removeprefix(resource).removesuffix("Call"))
        for call in calls
        if set(raw[call].get("required", [])) <= given <= set(raw[call]["properties"])
    ]
    if case.query.get("action") not in fitting:
        case.query["action"] = fitting[0]
    # `entities` are names of one action, and snapshots of another.
    takes_snapshots = operation == "callEntities" and case.query["action"] == "batchIngest"
    if takes_snapshots and not all(isinstance(one, dict) for one in case.body["entities"]):
        case.query["action"] = "batchGetTotalEntityCount"
    # Some actions need the version of the protocol.
    if case.query["action"] in ("ingestProposal", "ingestProposalBatch"):
        case.headers = {**(case.headers or {}), "X-RestLi-Protocol-Version": "2.0.0"}
    # Some parameters exclude each other.
    if case.query["action"] == "rollback":
        case.body.pop("safe", None)
    if case.query["action"] == "systemUpdate":
        # Building the index anew takes longer than anybody waits for an answer.
        case.body = {}
    if case.query["action"] == "getEsTaskStatus":
        # By its name, or by both parts of it.
        case.body = {"task": "node:1"}
    for name in ("scrollId", "urnLike"):
        if isinstance(case.body, dict):
            case.body.pop(name, None)


def action_named(name):
    return name[0].lower() + name[1:]


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


def has_nulls_of_other_actions(case):
    """Null counts as absent, also under the name of a parameter that another action of the resource has."""
    operation = case.operation.definition.raw.get("operationId", "")
    if operation not in ACTIONS_OF or not isinstance(case.body, dict):
        return False
    action = str((case.query or {}).get("action", ""))
    raw = case.operation.schema.raw_schema["components"]["schemas"]
    call = raw.get(f"{operation.removeprefix('call')}{action[:1].upper()}{action[1:]}Call", {})
    return any(value is None and name not in call.get("properties", {}) for name, value in case.body.items())


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


def has_member(value, name):
    """Whether an object in a value has a member of that name."""
    if isinstance(value, dict):
        return name in value or any(has_member(inner, name) for inner in value.values())
    return isinstance(value, list) and any(has_member(inner, name) for inner in value)


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
