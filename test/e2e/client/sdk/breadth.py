"""A case of each kind that the SDK and the command line can do. The first are those that some services could not answer once."""

import json
import time

import harness
from click.testing import CliRunner
from datahub.api.circuit_breaker import OperationCircuitBreaker, OperationCircuitBreakerConfig
from datahub.api.entities.forms.forms import Forms
from datahub.api.graphql import Operation
from datahub.cli.cli_utils import generate_access_token
from datahub.configuration.common import OperationalError
from datahub.emitter.mce_builder import make_dataset_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper as Mcp
from datahub.entrypoints import datahub
from datahub.ingestion.run.pipeline import Pipeline
from datahub.metadata import schema_classes as models
from requests import HTTPError

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


@step("operations close a circuit")
def _():
    breaker = OperationCircuitBreaker(
        OperationCircuitBreakerConfig(datahub_host=harness.SERVER, datahub_token=harness.TOKEN)
    )
    Operation(graph=graph).report_operation(B, partition="north", num_affected_rows=5)
    return [breaker.is_circuit_breaker_active(B, partition=name) for name in (None, "north", "south")]


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


@step("a recipe says where its tags come from")
def _():
    urn = dataset("attributed")

    def run(*tags):
        value = models.GlobalTagsClass([models.TagAssociationClass(f"urn:li:tag:{tag}") for tag in tags])
        with open("attributed.json", "w") as file:
            json.dump([Mcp(entityUrn=urn, aspect=value).to_obj()], file)
        pipeline = Pipeline.create(
            {
                "source": {"type": "file", "config": {"path": "attributed.json"}},
                "transformers": [
                    {"type": "set_attribution", "config": {"attribution_source": "urn:li:dataHubAction:breadth"}}
                ],
                "sink": SINK,
            }
        )
        pipeline.run()
        pipeline.raise_from_status()
        return [tag.tag for tag in graph.get_tags(urn).tags]

    graph.emit(Mcp(entityUrn=urn, aspect=models.GlobalTagsClass([models.TagAssociationClass("urn:li:tag:own")])))
    return [run("a", "b"), run("b", "c"), run()]


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


def cli(*arguments, typed=None):
    """Runs a command in this process, which saves its start; what it prints."""
    ended = CliRunner().invoke(datahub, list(arguments), input=typed)
    if ended.exit_code != 0:
        raise RuntimeError(ended.output[-500:])
    return ended.output


def moved(*arguments):
    """Moves what is found by its platform: of a version set the latest, as searches leave out earlier versions."""
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
    return [graph.exists(urn.replace("breadth.", "one.breadth.")) for urn in (A, B)]


@step("migrate instance2instance")
def _():
    moved("instance2instance", "--old-instance", "one", "--new-instance", "two")
    return [graph.exists(urn.replace("breadth.", "two.breadth.")) for urn in (A, B)]


def kept(name, content):
    """A file for a command; JSON is YAML."""
    with open(name, "w") as file:
        json.dump(content, file)
    return name


def shown(urn):
    return json.loads(cli("get", "--urn", urn))


@step("does not work: user add, as invitations cannot be read again")
def _():
    who = ["--id", "grace", "--email", "grace@example.org", "--display-name", "Grace Hopper"]
    try:
        return cli("user", "add", *who, "--password", typed="a long password\na long password\n")
    except RuntimeError as error:
        return "Failed to retrieve invite token" in str(error)


@step("does not work: init with a password, as a session writes for pages of its origin only")
def _():
    made = graph.execute_graphql(
        'mutation { createAccount(input: { userUrn: "urn:li:corpuser:grace", role: READER }) { resetToken } }'
    )
    account = {"email": "grace", "resetToken": made["createAccount"]["resetToken"], "password": "a long password"}
    graph._session.post(f"{harness.SERVER}/resetNativeUserCredentials", json=account).raise_for_status()
    # What the command does.
    try:
        return generate_access_token("grace", "a long password", harness.SERVER)
    except HTTPError as error:
        return [error.response.status_code, error.response.json()["code"]]


@step("events are polled")
def _():
    polled = graph._session.get(
        f"{harness.SERVER}/openapi/v1/events/poll",
        params={"topic": "PlatformEvent_v1", "lookbackWindowDays": 1, "pollTimeoutSeconds": 1, "limit": 1},
    )
    return [polled.status_code, polled.json()["count"]]


@step("does not work: offsets of Kafka, which is not there")
def _():
    try:
        return graph.get_kafka_consumer_offsets()
    except OperationalError as error:
        return error.info["code"]


@step("check server-config")
def _():
    return "'noCode': 'true'" in cli("check", "server-config")


@step("put")
def _():
    value = kept("aspect.json", {"name": "a", "description": "put"})
    return "Update succeeded" in cli("put", "--urn", B, "-a", "datasetProperties", "-d", value)


@step("get")
def _():
    return shown(B)["datasetProperties"]["description"]


@step("exists")
def _():
    return json.loads(cli("exists", "--urn", B))


@step("user upsert")
def _():
    cli("user", "upsert", "-f", kept("users.yml", [{"id": "ada", "first_name": "Ada", "email": "ada@example.org"}]))
    return shown("urn:li:corpuser:ada")["corpUserInfo"]["email"]


@step("group upsert")
def _():
    group = {"id": "tasters", "display_name": "Tasters", "owners": ["ada"], "members": ["ada"]}
    cli("group", "upsert", "-f", kept("group.yml", group))
    return shown("urn:li:corpuser:ada")["groupMembership"]["groups"]


@step("properties upsert")
def _():
    entry = {"id": "breadth.more", "type": "string", "entity_types": ["dataset"], "display_name": "More"}
    cli("properties", "upsert", "-f", kept("properties.yml", [entry]))
    return shown("urn:li:structuredProperty:breadth.more")["propertyDefinition"]["displayName"]


@step("properties get")
def _():
    return json.loads(cli("properties", "get", "--urn", "breadth.more"))["display_name"]


@step("forms get")
def _():
    return "breadth_a" in cli("forms", "get", "--urn", "urn:li:form:breadth_a")


@step("dataset upsert")
def _():
    entry = {"id": "breadth.yaml", "platform": "postgres", "description": "of a file", "tags": ["fragile"]}
    cli("dataset", "upsert", "-f", kept("datasets.yml", [entry]))
    return shown(dataset("yaml"))["globalTags"]["tags"]


@step("dataset get")
def _():
    return "of a file" in cli("dataset", "get", "--urn", dataset("yaml"))


PRODUCT = "urn:li:dataProduct:breadth"


@step("dataproduct upsert")
def _():
    product = {
        "id": "breadth",
        "domain": "urn:li:domain:breadth",
        "display_name": "Breadth",
        "assets": [B],
        "owners": [{"id": "urn:li:corpuser:ada", "type": "BUSINESS_OWNER"}],
    }
    cli("dataproduct", "upsert", "-f", kept("product.yml", product))
    return [asset["destinationUrn"] for asset in shown(PRODUCT)["dataProductProperties"]["assets"]]


@step("dataproduct get")
def _():
    return "Breadth" in cli("dataproduct", "get", "--urn", PRODUCT)


@step("dataproduct set_description")
def _():
    cli("dataproduct", "set_description", "--urn", PRODUCT, "--description", "What is broad")
    return shown(PRODUCT)["dataProductProperties"]["description"]


@step("dataproduct add_owner")
def _():
    cli("dataproduct", "add_owner", "--urn", PRODUCT, "--owner", "urn:li:corpuser:bela")
    return len(shown(PRODUCT)["ownership"]["owners"])


@step("dataproduct add_asset")
def _():
    cli("dataproduct", "add_asset", "--urn", PRODUCT, "--asset", dataset("yaml"))
    return len(shown(PRODUCT)["dataProductProperties"]["assets"])


@step("dataproduct remove_asset")
def _():
    cli("dataproduct", "remove_asset", "--urn", PRODUCT, "--asset", B)
    return len(shown(PRODUCT)["dataProductProperties"]["assets"])


@step("ingest run")
def _():
    record = Mcp(entityUrn=dataset("ingested"), aspect=models.StatusClass(removed=False)).to_obj()
    kept("records.json", [record])
    recipe = {"run_id": "breadth", "source": {"type": "file", "config": {"path": "records.json"}}, "sink": SINK}
    cli("ingest", "run", "-c", kept("recipe.yml", recipe))
    return graph.exists(dataset("ingested"))


@step("ingest list-runs")
def _():
    return "breadth" in cli("ingest", "list-runs")


@step("ingest show")
def _():
    return dataset("ingested") in cli("ingest", "show", "--run-id", "breadth")


@step("ingest rollback")
def _():
    cli("ingest", "rollback", "--run-id", "breadth", "--force")
    return graph.exists(dataset("ingested"))


@step("delete by-filter, softly")
def _():
    cli("delete", "by-filter", "--urn", dataset("yaml"), "--soft", "--force")
    return shown(dataset("yaml"))["status"]


@step("delete undo-by-filter")
def _():
    cli("delete", "undo-by-filter", "--urn", dataset("yaml"))
    return shown(dataset("yaml"))["status"]


@step("timeline")
def _():
    printed = cli("timeline", "--urn", dataset("yaml"), "--category", "TAG", "--start", "7daysago", "--end", "0")
    return "fragile" in printed


@step("lineage")
def _():
    above = dataset("above")
    graph.emit(Mcp(entityUrn=above, aspect=models.DatasetPropertiesClass(name="above")))
    edge = models.UpstreamClass(dataset=above, type=models.DatasetLineageTypeClass.TRANSFORMED)
    graph.emit(Mcp(entityUrn=dataset("yaml"), aspect=models.UpstreamLineageClass(upstreams=[edge])))
    return above in cli("lineage", "--urn", dataset("yaml"), "--direction", "upstream", "--format", "json")


@step("graphql")
def _():
    return "breadth.yaml" in cli("graphql", "--query", '{ dataset(urn: "%s") { urn } }' % dataset("yaml"))


@step("search diagnose")
def _():
    return "appConfig" not in cli("search", "diagnose")


harness.finish()
