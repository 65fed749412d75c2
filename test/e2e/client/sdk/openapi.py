"""The emitter and the graph client in OpenAPI mode: every mode of emitting, patches, deletions, recipes."""

import json
import logging
import os

from harness import SERVER, TOKEN, finish, step

from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import DatahubRestEmitter, EmitMode
from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.ingestion.run.pipeline import Pipeline
from datahub.metadata import schema_classes as models
from datahub.sdk import DataHubClient
from datahub.specific.dataset import DatasetPatchBuilder

graph = DataHubGraph(DatahubClientConfig(server=SERVER, token=TOKEN, openapi_ingestion=True))

calls = []
original = graph._session.request


def watched(method, url, **more):
    answer = original(method, url, **more)
    calls.append((method, url.removeprefix(SERVER).split("?")[0], answer.status_code))
    return answer


graph._session.request = watched


def dataset_urn(name: str) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:postgres,openapi.{name},PROD)"


def mcp(urn: str, aspect: models._Aspect, **more) -> MetadataChangeProposalWrapper:
    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect, **more)


def properties(name: str) -> models.DatasetPropertiesClass:
    return models.DatasetPropertiesClass(name=name)


@step("chooses the protocol")
def _():
    os.environ["DATAHUB_GMS_URL"] = SERVER
    os.environ["DATAHUB_GMS_TOKEN"] = TOKEN
    client = DataHubClient.from_env()
    client._graph.test_connection()
    return client._graph._openapi_ingestion


@step("emits in every mode")
def _():
    found = {}
    for mode in EmitMode:
        urn = dataset_urn(f"mode_{mode.name.lower()}")
        calls.clear()
        graph.emit_mcp(mcp(urn, properties(mode.name)), emit_mode=mode)
        if mode is EmitMode.ASYNC:
            graph.emit_mcp(mcp(urn, models.StatusClass(removed=False)), emit_mode=EmitMode.ASYNC_WAIT)
        paths = sorted({(path.split("/write/")[0], status) for method, path, status in calls if method == "POST"})
        aspect = graph.get_aspect(urn, models.DatasetPropertiesClass)
        found[mode.name] = {"calls": paths, "name": aspect.name if aspect else None}
    return found


@step("a write that waits for the index is found")
def _():
    urn = dataset_urn("waited")
    graph.emit_mcp(mcp(urn, properties("hippocampus")), emit_mode=EmitMode.SYNC_WAIT)
    return [found == urn for found in graph.get_urns_by_filter(entity_types=["dataset"], query="hippocampus")]


@step("emits a batch of several kinds")
def _():
    tag = "urn:li:tag:openapi_tag"
    items = [mcp(dataset_urn(f"batch_{i}"), properties(f"batch {i}")) for i in range(120)]
    items += [mcp(dataset_urn(f"batch_{i}"), models.StatusClass(removed=False)) for i in range(120)]
    items.append(mcp(tag, models.TagPropertiesClass(name="openapi")))
    calls.clear()
    graph.emit_mcps(items, emit_mode=EmitMode.ASYNC_WAIT)
    return {
        "accepted": {path for method, path, status in calls if status == 202},
        "last": graph.get_aspect(dataset_urn("batch_119"), models.DatasetPropertiesClass).name,
        "status": graph.get_aspect(dataset_urn("batch_119"), models.StatusClass).removed,
        "tag": graph.get_aspect(tag, models.TagPropertiesClass).name,
    }


@step("a refused value says why")
def _():
    graph.emit_mcp(mcp(dataset_urn("refused"), models.CorpUserInfoClass(active=True)))


@step("a write that is rejected later is an error of whom waits for it")
def _():
    urn = "urn:li:structuredProperty:openapi.nowhere"
    values = [models.StructuredPropertyValueAssignmentClass(propertyUrn=urn, values=["x"])]
    graph.emit_mcp(
        mcp(dataset_urn("batch_1"), models.StructuredPropertiesClass(properties=values)),
        emit_mode=EmitMode.ASYNC_WAIT,
    )


@step("patches")
def _():
    urn = dataset_urn("patched")
    for patch in (
        DatasetPatchBuilder(urn).add_custom_property("a", "1").add_tag(models.TagAssociationClass("urn:li:tag:one")),
        DatasetPatchBuilder(urn).add_custom_property("b", "2").add_tag(models.TagAssociationClass("urn:li:tag:two")),
        DatasetPatchBuilder(urn).remove_custom_property("a").set_description("patched"),
    ):
        for item in patch.build():
            graph.emit(item)
    found = graph.get_aspect(urn, models.DatasetPropertiesClass)
    tags = graph.get_aspect(urn, models.GlobalTagsClass)
    return [found.customProperties, found.description, sorted(tag.tag for tag in tags.tags)]


@step("deletes an entity")
def _():
    urn = dataset_urn("deleted")
    graph.emit_mcp(mcp(urn, properties("x")))
    before = graph.exists(urn)
    calls.clear()
    graph.emit_mcp(
        MetadataChangeProposalWrapper(
            entityUrn=urn, entityType="dataset", aspectName="datasetKey", changeType=models.ChangeTypeClass.DELETE
        )
    )
    return [before, graph.exists(urn), [method for method, _, _ in calls][:1]]


@step("deletes a tag without an error in its log")
def _():
    tag = "urn:li:tag:openapi_deleted"
    graph.emit_mcp(mcp(tag, models.TagPropertiesClass(name="x")))
    errors = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: errors.append(record.getMessage())
    logging.getLogger().addHandler(handler)
    graph.emit_mcp(
        MetadataChangeProposalWrapper(
            entityUrn=tag, entityType="tag", aspectName="tagKey", changeType=models.ChangeTypeClass.DELETE
        )
    )
    logging.getLogger().removeHandler(handler)
    return [graph.exists(tag), errors]


@step("reads many")
def _():
    urns = [dataset_urn("batch_3"), dataset_urn("batch_4"), dataset_urn("nowhere")]
    found = graph.get_entities("dataset", urns, ["datasetProperties"])
    return {urn.split(",")[1]: aspects["datasetProperties"][0].name for urn, aspects in found.items() if aspects}


@step("a recipe")
def _():
    urns = [dataset_urn(f"recipe_{i}") for i in range(40)]
    records = [mcp(urn, properties(f"recipe {i}")).to_obj() for i, urn in enumerate(urns)]
    with open("recipe.json", "w") as file:
        json.dump(records, file)
    pipeline = Pipeline.create(
        {
            "run_id": "openapi-recipe",
            "source": {"type": "file", "config": {"path": "recipe.json"}},
            "sink": {
                "type": "datahub-rest",
                "config": {"server": SERVER, "token": TOKEN, "endpoint": "OPENAPI"},
            },
        }
    )
    pipeline.run()
    report = pipeline.sink.get_report()
    # The sink does not wait for what it wrote; a write after it is carried out after it.
    graph.emit_mcp(mcp(urns[0], models.StatusClass(removed=False)), emit_mode=EmitMode.ASYNC_WAIT)
    names = [graph.get_aspect(urn, models.DatasetPropertiesClass).name for urn in urns]
    return {
        "failures": len(report.failures),
        "names": names == [f"recipe {i}" for i in range(40)],
    }


finish()
