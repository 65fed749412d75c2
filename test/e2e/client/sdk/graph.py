"""The graph client: reading, writing, deleting, time series, relationships, search."""

import contextlib
import io
from datetime import datetime, timezone

from harness import SERVER, TOKEN, connect, finish, step

from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import DatahubRestEmitter
from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.cli.timeline_cli import get_timeline
from datahub.metadata import schema_classes as models
from datahub.metadata.urns import TagUrn, Urn

graph = connect()


def dataset_urn(name: str) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:postgres,graph.{name},PROD)"


TEAPOTS, CUPS, CLAY = (dataset_urn(name) for name in ("teapots", "cups", "clay"))
TAG = "urn:li:tag:graph_fragile"
ADA = "urn:li:corpuser:ada"
STAMP = models.AuditStampClass(time=1, actor=ADA)
DAY = 86_400_000
MIDNIGHT = 1_700_006_400_000


def mcp(urn: str, aspect: models._Aspect, **more) -> MetadataChangeProposalWrapper:
    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect, **more)


# Connecting.


@step("emitter connects")
def _():
    emitter = DatahubRestEmitter(SERVER, token=TOKEN)
    emitter.test_connection()
    return emitter.get_server_config()["noCode"]


@step("graph connects")
def _():
    graph.test_connection()
    return graph.get_config()["statefulIngestionCapable"]


@step("wrong token")
def _():
    DataHubGraph(DatahubClientConfig(server=SERVER, token="wrong")).get_entity_raw(TEAPOTS)


# Writing.


@step("emits one proposal")
def _():
    graph.emit(mcp(TEAPOTS, models.DatasetPropertiesClass(name="teapots", description="Jede Kanne, 急須 🫖")))
    return graph.get_aspect(TEAPOTS, models.DatasetPropertiesClass)


@step("emits with the emitter")
def _():
    DatahubRestEmitter(SERVER, token=TOKEN).emit(mcp(CUPS, models.StatusClass(removed=False)))
    return graph.get_aspect(CUPS, models.StatusClass)


@step("emits a batch")
def _():
    answers = graph.emit_mcps(
        [
            mcp(TAG, models.TagPropertiesClass(name="fragile")),
            mcp(TEAPOTS, models.GlobalTagsClass(tags=[models.TagAssociationClass(TAG)])),
            mcp(TEAPOTS, models.OwnershipClass(owners=[models.OwnerClass(ADA, models.OwnershipTypeClass.DATAOWNER)])),
            mcp(
                TEAPOTS,
                models.UpstreamLineageClass(
                    upstreams=[models.UpstreamClass(CLAY, models.DatasetLineageTypeClass.TRANSFORMED, STAMP)]
                ),
            ),
            mcp(CUPS, models.GlobalTagsClass(tags=[models.TagAssociationClass(TAG)])),
            mcp(CLAY, models.DatasetPropertiesClass(name="clay")),
            mcp(CLAY, models.DatasetPropertiesClass(name="clay", description="the last one counts")),
        ]
    )
    return {"chunks": answers, "last": graph.get_aspect(CLAY, models.DatasetPropertiesClass).description}


@step("a batch with one wrong item writes nothing")
def _():
    bad = mcp(dataset_urn("nothing"), models.StructuredPropertiesClass(
        properties=[models.StructuredPropertyValueAssignmentClass("urn:li:structuredProperty:graph.nowhere", ["x"])]
    ))
    try:
        graph.emit_mcps([mcp(dataset_urn("something"), models.StatusClass(removed=False)), bad])
    except Exception as error:
        return {"message": str(error), "written": graph.exists(dataset_urn("something"))}


@step("CREATE makes an aspect once")
def _():
    first = mcp(CLAY, models.SubTypesClass(typeNames=["Table"]), changeType=models.ChangeTypeClass.CREATE)
    graph.emit(first)
    try:
        graph.emit(mcp(CLAY, models.SubTypesClass(typeNames=["View"]), changeType=models.ChangeTypeClass.CREATE))
    except Exception as error:
        return {"again": str(error), "value": graph.get_aspect(CLAY, models.SubTypesClass)}


@step("CREATE_ENTITY makes an entity once")
def _():
    urn = TagUrn("graph_created")
    create = mcp(str(urn), urn.to_key_aspect(), changeType=models.ChangeTypeClass.CREATE_ENTITY)
    graph.emit(create)
    try:
        graph.emit(create)
    except Exception as error:
        return {"again": str(error), "exists": graph.exists(str(urn))}


@step("DELETE of the key removes the entity")
def _():
    urn = TagUrn("graph_created")
    graph.emit(mcp(str(urn), urn.to_key_aspect(), changeType=models.ChangeTypeClass.DELETE))
    return graph.exists(str(urn))


@step("emits a snapshot")
def _():
    urn = dataset_urn("snapshot")
    graph.emit(
        models.MetadataChangeEventClass(
            proposedSnapshot=models.DatasetSnapshotClass(
                urn=urn,
                aspects=[
                    models.StatusClass(removed=False),
                    models.OwnershipClass(owners=[models.OwnerClass(ADA, models.OwnershipTypeClass.DATAOWNER)]),
                    models.InstitutionalMemoryClass(
                        elements=[models.InstitutionalMemoryMetadataClass("https://example.org", "docs", STAMP)]
                    ),
                ],
            ),
            systemMetadata=models.SystemMetadataClass(runId="snapshots", lastObserved=1),
        )
    )
    return sorted(graph.get_entity_semityped(urn))


@step("emits everything through the batching sink")
def _():
    urns = [dataset_urn(f"many_{i}") for i in range(250)]
    graph.emit_all((mcp(urn, models.DatasetPropertiesClass(name=f"Über {i}")) for i, urn in enumerate(urns)), run_id="many")
    return sum(graph.exists(urn) for urn in urns[::25])


@step("a refused value says why")
def _():
    graph.emit(mcp("urn:li:corpuser:graph_bad", models.CorpUserInfoClass(active=True, managerUrn="nobody")))


# Reading.


@step("versions of an aspect")
def _():
    for name in ("one", "two", "two", "three"):
        graph.emit(mcp(dataset_urn("versions"), models.DatasetPropertiesClass(name=name)))
    read = lambda version: graph.get_aspect(dataset_urn("versions"), models.DatasetPropertiesClass, version)
    return [read(version) and read(version).name for version in (0, 1, 2, 3, 4)]


@step("whole entity")
def _():
    return sorted(graph.get_entity_semityped(TEAPOTS))


@step("chosen aspects")
def _():
    return sorted(graph.get_entity_semityped(TEAPOTS, ["datasetProperties", "globalTags", "domains"]))


@step("raw entity")
def _():
    raw = graph.get_entity_raw(TEAPOTS)
    return {"urn": raw["urn"], "name": raw["entityName"], "tags": raw["aspects"]["globalTags"]["value"]}


@step("entity as proposals")
def _():
    proposals = graph.get_entity_as_mcps(TEAPOTS)
    graph.emit_mcps(proposals)
    return len(proposals)


@step("what is not there")
def _():
    return [
        graph.exists(dataset_urn("no")),
        graph.get_aspect(dataset_urn("no"), models.StatusClass),
        graph.get_aspect(TEAPOTS, models.DomainsClass),
        graph.get_tags(TEAPOTS).tags[0].tag,
        graph.get_ownership(TEAPOTS).owners[0].owner,
    ]


@step("keys of every kind exist")
def _():
    urns = [
        "urn:li:tag:graph kind",
        "urn:li:glossaryTerm:graph.kind",
        "urn:li:glossaryNode:graph.kind",
        "urn:li:corpuser:graph.kind@example.org",
        "urn:li:corpGroup:graph kind",
        "urn:li:domain:graph_kind",
        "urn:li:container:5bd0c1f1a5bd0c1f1a5bd0c1f1a5bd0c",
        "urn:li:chart:(looker,graph.kind)",
        "urn:li:dashboard:(looker,graph.kind)",
        "urn:li:dataFlow:(airflow,graph.kind,PROD)",
        "urn:li:dataJob:(urn:li:dataFlow:(airflow,graph.kind,PROD),job)",
        "urn:li:dataPlatform:graphkind",
        "urn:li:dataPlatformInstance:(urn:li:dataPlatform:postgres,graph.kind)",
        "urn:li:dataset:(urn:li:dataPlatform:s3,bucket/a%20b/ä,DEV)",
        f"urn:li:schemaField:({TEAPOTS},[version=2.0].[type=struct].a)",
        "urn:li:structuredProperty:graph.kind",
        "urn:li:query:graphkind",
        "urn:li:ownershipType:graphkind",
    ]
    graph.emit_mcps([mcp(urn, Urn.from_string(urn).to_key_aspect()) for urn in urns])
    return [urn for urn in urns if not graph.exists(urn)]


# Every aspect that the client can make without a value of ours: it is read back as what was written.


@step("aspects of many kinds come back as they were")
def _():
    aspects = [
        models.BrowsePathsClass(paths=["/prod/graph"]),
        models.BrowsePathsV2Class(path=[models.BrowsePathEntryClass(id="graph")]),
        models.ContainerClass(container="urn:li:container:5bd0c1f1a5bd0c1f1a5bd0c1f1a5bd0c"),
        models.DataPlatformInstanceClass(platform="urn:li:dataPlatform:postgres"),
        models.DatasetPropertiesClass(
            name="kinds",
            customProperties={"a": "b", "ключ": "значение"},
            created=models.TimeStampClass(time=1, actor=ADA),
            externalUrl="https://example.org",
        ),
        models.DeprecationClass(deprecated=True, note="old", actor=ADA, decommissionTime=5),
        models.DocumentationClass(documentations=[models.DocumentationAssociationClass("text")]),
        models.DomainsClass(domains=["urn:li:domain:graph_kind"]),
        models.EditableDatasetPropertiesClass(description="edited", created=STAMP, lastModified=STAMP),
        models.EditableSchemaMetadataClass(
            editableSchemaFieldInfo=[
                models.EditableSchemaFieldInfoClass(
                    "id",
                    description="number",
                    globalTags=models.GlobalTagsClass([models.TagAssociationClass(TAG)]),
                    glossaryTerms=models.GlossaryTermsClass(
                        [models.GlossaryTermAssociationClass("urn:li:glossaryTerm:graph.kind")], STAMP
                    ),
                )
            ],
            created=STAMP,
            lastModified=STAMP,
        ),
        models.EmbedClass(renderUrl="https://example.org/embed"),
        models.GlossaryTermsClass([models.GlossaryTermAssociationClass("urn:li:glossaryTerm:graph.kind")], STAMP),
        models.InstitutionalMemoryClass([models.InstitutionalMemoryMetadataClass("https://a", "b", STAMP)]),
        models.OwnershipClass(
            [models.OwnerClass(ADA, models.OwnershipTypeClass.CUSTOM, typeUrn="urn:li:ownershipType:graphkind")],
            lastModified=STAMP,
        ),
        models.SchemaMetadataClass(
            schemaName="kinds",
            platform="urn:li:dataPlatform:postgres",
            version=0,
            hash="",
            platformSchema=models.SchemalessClass(),
            created=STAMP,
            lastModified=STAMP,
            primaryKeys=["id"],
            foreignKeys=[
                models.ForeignKeyConstraintClass(
                    "made_of",
                    foreignFields=[f"urn:li:schemaField:({CLAY},id)"],
                    sourceFields=[f"urn:li:schemaField:({TEAPOTS},id)"],
                    foreignDataset=CLAY,
                )
            ],
            fields=[
                models.SchemaFieldClass(
                    f"[version=2.0].[type=x].f{i}",
                    models.SchemaFieldDataTypeClass(type=kind),
                    "native",
                    nullable=True,
                    description="text",
                    label="L",
                    jsonProps='{"a": 1}',
                    isPartOfKey=False,
                )
                for i, kind in enumerate(
                    [
                        models.ArrayTypeClass(nestedType=["string"]),
                        models.BooleanTypeClass(),
                        models.BytesTypeClass(),
                        models.DateTypeClass(),
                        models.EnumTypeClass(),
                        models.FixedTypeClass(),
                        models.MapTypeClass(keyType="string", valueType="long"),
                        models.NullTypeClass(),
                        models.NumberTypeClass(),
                        models.RecordTypeClass(),
                        models.StringTypeClass(),
                        models.TimeTypeClass(),
                        models.UnionTypeClass(nestedTypes=["string", "long"]),
                    ]
                )
            ],
        ),
        models.SiblingsClass(siblings=[CUPS], primary=True),
        models.StatusClass(removed=False),
        models.SubTypesClass(typeNames=["View"]),
        models.UpstreamLineageClass(
            upstreams=[models.UpstreamClass(CLAY, models.DatasetLineageTypeClass.VIEW, STAMP, query="urn:li:query:graphkind")],
            fineGrainedLineages=[
                models.FineGrainedLineageClass(
                    models.FineGrainedLineageUpstreamTypeClass.FIELD_SET,
                    models.FineGrainedLineageDownstreamTypeClass.FIELD,
                    upstreams=[f"urn:li:schemaField:({CLAY},id)"],
                    downstreams=[f"urn:li:schemaField:({TEAPOTS},id)"],
                    transformOperation="IDENTITY",
                    confidenceScore=0.25,
                )
            ],
        ),
        models.ViewPropertiesClass(materialized=True, viewLogic="SELECT 1", viewLanguage="SQL"),
    ]
    urn = dataset_urn("kinds")
    graph.emit_mcps([mcp(urn, aspect) for aspect in aspects])
    bag = graph.get_entity_semityped(urn)
    differs = {}
    for aspect in aspects:
        one = graph.get_aspect(urn, type(aspect))
        wanted, got = aspect.to_obj(), one and one.to_obj()
        # The service groups owners by type.
        if aspect.ASPECT_NAME == "ownership":
            got.pop("ownerTypes", None)
            wanted.pop("ownerTypes", None)
        if got != wanted or aspect.ASPECT_NAME not in bag:
            differs[aspect.ASPECT_NAME] = {"wrote": wanted, "read": got}
    return differs


# Time series.


def profile(day: int, rows: int) -> models.DatasetProfileClass:
    return models.DatasetProfileClass(timestampMillis=MIDNIGHT + day * DAY, rowCount=rows)


@step("time series, newest first")
def _():
    graph.emit_mcps([mcp(TEAPOTS, profile(day, rows)) for day, rows in ((0, 10), (2, 30), (1, 20))])
    return [value.rowCount for value in graph.get_timeseries_values(TEAPOTS, models.DatasetProfileClass, {})]


@step("time series, limited")
def _():
    return [value.rowCount for value in graph.get_timeseries_values(TEAPOTS, models.DatasetProfileClass, {}, limit=2)]


@step("latest of a time series")
def _():
    latest = graph.get_latest_timeseries_value(TEAPOTS, models.DatasetProfileClass, {})
    return {"rows": latest.rowCount, "none": graph.get_latest_timeseries_value(CUPS, models.DatasetProfileClass, {})}


@step("filtered time series")
def _():
    for i, kind in enumerate(("INSERT", "UPDATE", "UPDATE", "DELETE")):
        graph.emit(
            mcp(
                TEAPOTS,
                models.OperationClass(
                    timestampMillis=MIDNIGHT + i, lastUpdatedTimestamp=MIDNIGHT + i, operationType=kind, numAffectedRows=i
                ),
            )
        )
    by_kind = lambda kind: {"or": [{"and": [{"field": "operationType", "values": [kind], "condition": "EQUAL"}]}]}
    return {
        "updates": [
            value.numAffectedRows
            for value in graph.get_timeseries_values(TEAPOTS, models.OperationClass, by_kind("UPDATE"))
        ],
        "latest insert": graph.get_latest_timeseries_value(
            TEAPOTS, models.OperationClass, {"operationType": "INSERT"}
        ).numAffectedRows,
        "none": graph.get_latest_timeseries_value(TEAPOTS, models.OperationClass, {"operationType": "DROP"}),
    }


@step("usage between two times")
def _():
    for day in range(4):
        graph.emit(
            mcp(
                TEAPOTS,
                models.DatasetUsageStatisticsClass(
                    timestampMillis=MIDNIGHT + day * DAY,
                    eventGranularity=models.TimeWindowSizeClass(unit=models.CalendarIntervalClass.DAY),
                    uniqueUserCount=day,
                    totalSqlQueries=day * 10,
                    topSqlQueries=["SELECT 1"],
                    userCounts=[models.DatasetUserUsageCountsClass(ADA, count=day)],
                    fieldCounts=[models.DatasetFieldUsageCountsClass("id", day)],
                ),
            )
        )
    usage = graph.get_usage_aspects_from_urn(TEAPOTS, MIDNIGHT + DAY, MIDNIGHT + 2 * DAY)
    return sorted(value.totalSqlQueries for value in usage)


@step("part of a time series is deleted")
def _():
    at = lambda millis: datetime.fromtimestamp(millis / 1000, timezone.utc)
    deleted = graph.hard_delete_timeseries_aspect(
        TEAPOTS, "datasetProfile", start_time=at(MIDNIGHT), end_time=at(MIDNIGHT + DAY)
    )
    left = graph.get_timeseries_values(TEAPOTS, models.DatasetProfileClass, {})
    return {"deleted": deleted, "left": [value.rowCount for value in left]}


# Relationships, lists, search.


@step("relationships")
def _():
    related = lambda urn, types, direction: sorted(
        f"{entity.relationship_type} {entity.urn}"
        for entity in graph.get_related_entities(urn, types, getattr(DataHubGraph.RelationshipDirection, direction))
    )
    return {
        "tagged": related(TAG, ["TaggedWith"], "INCOMING"),
        "of teapots": related(TEAPOTS, ["TaggedWith", "OwnedBy", "DownstreamOf"], "OUTGOING"),
        "from clay": related(CLAY, ["DownstreamOf"], "INCOMING"),
        "nothing": related(dataset_urn("no"), ["OwnedBy"], "INCOMING"),
    }


@step("relationships over several pages")
def _():
    urns = [dataset_urn(f"many_{i}") for i in range(250)]
    graph.emit_mcps([mcp(u, models.GlobalTagsClass([models.TagAssociationClass("urn:li:tag:graph_many")])) for u in urns])
    related = graph.get_related_entities(
        "urn:li:tag:graph_many", ["TaggedWith"], DataHubGraph.RelationshipDirection.INCOMING
    )
    return len({entity.urn for entity in related})


@step("lists URNs")
def _():
    tags, start = [], 0
    while page := graph.list_all_entity_urns("tag", start, 2):
        tags += page
        start += 2
    return {"fragile": TAG in tags, "distinct": len(tags) == len(set(tags)), "unknown": graph.list_all_entity_urns("no", 0, 2)}


@step("counts aspects")
def _():
    return [
        graph.get_aspect_counts("datasetProperties", "urn:li:dataset:(urn:li:dataPlatform:postgres,graph.many%"),
        graph.get_aspect_counts("tagProperties", TAG),
    ]


@step("searches")
def _():
    value = graph.get_search_results(0, 5, "dataset")["value"]
    return {"count": len(value["entities"]), "enough": value["numEntities"] > 250}


# Timeline and deletion.


@step("timeline")
def _():
    with contextlib.redirect_stdout(io.StringIO()):
        transactions = get_timeline(dataset_urn("versions"), ["DOCUMENTATION", "TAG"], None, None, False, graph=graph)
        graph.emit(mcp(dataset_urn("versions"), models.DatasetPropertiesClass(name="three", description="words")))
        graph.emit(mcp(dataset_urn("versions"), models.GlobalTagsClass([models.TagAssociationClass(TAG)])))
        later = get_timeline(dataset_urn("versions"), ["DOCUMENTATION", "TAG"], None, None, False, graph=graph)
    return {
        "before": [event["category"] for t in transactions for event in t["changeEvents"] or []],
        "after": [f'{event["operation"]} {event["category"]}' for t in later for event in t["changeEvents"] or []],
        "versions": [t["semVer"] for t in later],
    }


@step("soft deletion")
def _():
    graph.soft_delete_entity(CUPS)
    removed = graph.get_aspect(CUPS, models.StatusClass).removed
    run = graph.get_entity_raw(CUPS, ["status"])["aspects"]["status"]["systemMetadata"]["runId"]
    graph.set_soft_delete_status(CUPS, delete=False)
    return {"removed": removed, "run": run, "back": not graph.get_aspect(CUPS, models.StatusClass).removed}


@step("references are counted, then deleted")
def _():
    dry = graph.delete_references_to_urn(TAG, dry_run=True)
    kept = [tag.tag for tag in graph.get_tags(CUPS).tags]
    real = graph.delete_references_to_urn(TAG)
    return {
        "dry": dry[0],
        "kept": kept,
        "sample": sorted(" ".join(str(v) for v in aspect.values()) for aspect in dry[1]),
        "real": real[0],
        "left": [tag.tag for urn in (TEAPOTS, CUPS) for tag in graph.get_tags(urn).tags],
        "again": graph.delete_references_to_urn(TAG)[0],
    }


@step("hard deletion")
def _():
    rows = graph.hard_delete_entity(CUPS)
    return {
        "rows": rows[0] > 1,
        "events": rows[1],
        "exists": graph.exists(CUPS),
        "status": graph.get_aspect(CUPS, models.StatusClass),
        "again": graph.hard_delete_entity(CUPS),
    }


@step("deletion of a dataset with events")
def _():
    graph.delete_entity(TEAPOTS, hard=True)
    return [
        graph.exists(TEAPOTS),
        graph.get_timeseries_values(TEAPOTS, models.OperationClass, {}),
        graph.get_usage_aspects_from_urn(TEAPOTS, 0, 2 * MIDNIGHT),
    ]


@step("indices are restored")
def _():
    graph.restore_indices(urn_pattern=CLAY)
    graph.restore_indices(urn_pattern="urn:li:dataset:%graph.many%", aspect="datasetProperties", start=0, batch_size=50)
    return "done"


finish()
