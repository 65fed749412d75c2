"""What the SDK does besides reading and writing aspects: forms, assertions, connections, versions, domains by name, pipelines."""

import json
import time

import harness
from click.testing import CliRunner
from datahub.api.entities.forms.forms import Forms
from datahub.emitter.mce_builder import make_dataset_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper as Mcp
from datahub.entrypoints import datahub
from datahub.ingestion.run.pipeline import Pipeline
from datahub.metadata import schema_classes as models

graph = harness.connect()
step = harness.step

NOW = int(time.time() * 1000)
DAY = 24 * 3600 * 1000
SINK = {"type": "datahub-rest", "config": {"server": harness.SERVER, "token": harness.TOKEN}}


def dataset(name):
    return make_dataset_urn("postgres", f"breadth.{name}")


A, B = dataset("a"), dataset("b")
for urn in (A, B):
    graph.emit(Mcp(entityUrn=urn, aspect=models.DatasetPropertiesClass(name=urn)))


graph.emit(
    Mcp(
        entityUrn="urn:li:structuredProperty:breadth.about",
        aspect=models.StructuredPropertyDefinitionClass(
            qualifiedName="breadth.about",
            valueType="urn:li:dataType:datahub.string",
            entityTypes=["urn:li:entityType:datahub.dataset"],
        ),
    )
)


def form(name, entities):
    """Makes a form as `datahub forms upsert` does."""
    prompt = {
        "id": name,
        "title": "What is it about?",
        "type": "STRUCTURED_PROPERTY",
        "structured_property_id": "breadth.about",
    }
    with open("forms.yaml", "w") as file:
        json.dump([{"id": name, "name": name, "type": "COMPLETION", "prompts": [prompt], "entities": entities}], file)
    Forms.create("forms.yaml")


@step("a form is put to entities")
def _():
    form("breadth_a", {"urns": [A]})
    return [found.urn for found in graph.get_aspect(A, models.FormsClass).incompleteForms]


@step("a form is put to what a filter finds")
def _():
    form("breadth_b", {"filters": {"types": ["dataset"], "platforms": ["urn:li:dataPlatform:postgres"]}})
    return graph.get_aspect("urn:li:form:breadth_b", models.DynamicFormAssignmentClass) is not None


@step("an assertion is made")
def _():
    made = graph.upsert_custom_assertion(
        urn="urn:li:assertion:breadth",
        entity_urn=A,
        type="Rows",
        description="has rows",
        platform_urn="urn:li:dataPlatform:postgres",
    )
    return made["urn"]


@step("an assertion is reported")
def _():
    return graph.report_assertion_result(urn="urn:li:assertion:breadth", timestamp_millis=NOW, type="SUCCESS")


@step("assertions of a dataset are read")
def _():
    query = """query ($urn: String!) { dataset(urn: $urn) { assertions(start: 0, count: 10) {
      total assertions { urn runEvents(limit: 1) { total succeeded } } } } }"""
    return graph.execute_graphql(query, {"urn": A})["dataset"]["assertions"]


@step("an incident is raised")
def _():
    query = """mutation ($input: RaiseIncidentInput!) { raiseIncident(input: $input) }"""
    urn = graph.execute_graphql(query, {"input": {"type": "OPERATIONAL", "title": "late", "resourceUrn": A}})["raiseIncident"]
    return graph.get_aspect(urn, models.IncidentInfoClass).title


@step("a connection is kept")
def _():
    urn = "urn:li:dataHubConnection:breadth"
    graph.set_connection_json(urn, platform_urn="urn:li:dataPlatform:postgres", config={"host": "db"}, name="a database")
    return graph.get_connection_json(urn)


@step("an asset becomes a version")
def _():
    linked = graph.link_asset_to_version_set(A, "urn:li:versionSet:(breadth,dataset)", "v1")
    return [linked, graph.get_aspect(A, models.VersionPropertiesClass).isLatest]


@step("an asset becomes the version after another")
def _():
    graph.link_asset_to_versioned_asset(B, A, "v2")
    return [graph.get_aspect(urn, models.VersionPropertiesClass).isLatest for urn in (A, B)]


@step("a domain is found by its name")
def _():
    graph.emit(Mcp(entityUrn="urn:li:domain:breadth", aspect=models.DomainPropertiesClass(name="Breadth")))
    return graph.get_domain_urn_by_name("Breadth")


@step("a recipe names a domain by its name")
def _():
    record = Mcp(entityUrn=dataset("in_domain"), aspect=models.DatasetPropertiesClass(name="in domain"))
    with open("domain.json", "w") as file:
            json.dump([record.to_obj()], file)
    pipeline = Pipeline.create(
        {
            "source": {"type": "file", "config": {"path": "domain.json"}},
            "transformers": [{"type": "simple_add_dataset_domain", "config": {"domains": ["Breadth"]}}],
            "sink": SINK,
        }
    )
    pipeline.run()
    pipeline.raise_from_status()
    return graph.get_aspect(dataset("in_domain"), models.DomainsClass).domains


@step("what a run no longer sees is removed")
def _():
    def run(names):
        records = [
            Mcp(entityUrn=dataset(name), aspect=models.DatasetPropertiesClass(name=name)).to_obj() for name in names
        ]
        with open("stateful.json", "w") as file:
            json.dump(records, file)
        pipeline = Pipeline.create(
            {
                "pipeline_name": "breadth",
                "source": {
                    "type": "file",
                    "config": {"path": "stateful.json", "stateful_ingestion": {"enabled": True}},
                },
                "sink": SINK,
                "datahub_api": {"server": harness.SERVER, "token": harness.TOKEN},
            }
        )
        pipeline.run()
        pipeline.raise_from_status()

    run(["stays", "goes"])
    run(["stays"])
    return [graph.get_aspect(dataset(name), models.StatusClass) for name in ("stays", "goes")]


@step("a job that does not exist is removed")
def _():
    urn = "urn:li:dataJob:(urn:li:dataFlow:(airflow,breadth,PROD),never)"
    graph.emit(Mcp(entityUrn=urn, aspect=models.StatusClass(removed=True)))
    return graph.get_aspect(urn, models.StatusClass).removed


@step("the clean-up of the field ends")
def _():
    old = NOW - 100 * DAY
    for time_ in (old, NOW):
        graph.emit(
            Mcp(
                entityUrn=A,
                aspect=models.OperationClass(
                    timestampMillis=time_, lastUpdatedTimestamp=time_, operationType=models.OperationTypeClass.INSERT
                ),
            )
        )
    pipeline = Pipeline.create(
        {
            "source": {
                "type": "datahub-gc",
                "config": {
                    "dry_run": False,
                    "cleanup_expired_tokens": True,
                    "truncate_indices": True,
                    "truncate_index_older_than_days": 30,
                    "truncation_watch_until": 0,
                    "truncation_sleep_between_seconds": 1,
                },
            },
            "sink": SINK,
            "datahub_api": {"server": harness.SERVER, "token": harness.TOKEN},
        }
    )
    pipeline.run()
    pipeline.raise_from_status()
    left = graph.get_timeseries_values(A, models.OperationClass, filter={"or": []}, limit=10)
    return [len(left), pipeline.source.get_report().failures.total_elements]


def cli(*arguments):
    """Runs a command in this process, which saves its start; what it prints."""
    ended = CliRunner().invoke(datahub, list(arguments))
    if ended.exit_code != 0:
        raise RuntimeError(ended.output[-500:])
    return ended.output


def moved(*arguments):
    cli("migrate", *arguments, "--platform", "postgres", "--force", "--entity-types", "dataset")


@step("ingest list-source-runs")
def _():
    cli("ingest", "list-source-runs")


@step("properties list")
def _():
    return "breadth.about" in cli("properties", "list")


@step("search in the query language")
def _():
    found = cli("search", "/q name:\"in domain\"", "--format", "json")
    return json.loads(found[found.index("{\n") :])["total"]


@step("migrate dataplatform2instance")
def _():
    moved("dataplatform2instance", "--instance", "one")
    return graph.exists(dataset("a").replace("breadth.a", "one.breadth.a"))


@step("migrate instance2instance")
def _():
    moved("instance2instance", "--old-instance", "one", "--new-instance", "two")
    return graph.exists(dataset("a").replace("breadth.a", "two.breadth.a"))


harness.finish()
