"""What the SDK, the command line and recipes can do, and the other scripts here do not ask of them."""

import json
import os

import harness
from click.testing import CliRunner
from datahub.emitter.mce_builder import make_dataset_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper as Mcp
from datahub.emitter.mcp_builder import DatabaseKey
from datahub.entrypoints import datahub
from datahub.ingestion.graph.filters import RemovedStatusFilter
from datahub.ingestion.run.pipeline import Pipeline
from datahub.metadata import schema_classes as models
from datahub.sdk import Chart, Dashboard, Dataset, MLModel, MLModelGroup
from datahub.sdk.container import Container
from datahub.sdk.document import Document
from datahub.sdk.main_client import DataHubClient
from datahub.sdk.search_filters import FilterDsl as F

graph = harness.connect()
client = DataHubClient(graph=graph)
step = harness.step

API = {"server": harness.SERVER, "token": harness.TOKEN}
USER, GROUP, TAG = "urn:li:corpuser:una", "urn:li:corpGroup:unit", "urn:li:tag:rare"
TERM, DOMAIN, PART = "urn:li:glossaryTerm:rare", "urn:li:domain:whole", "urn:li:domain:part"


def dataset(name, platform="snowflake"):
    return make_dataset_urn(platform, f"rare.{name}")


def emit(urn, *aspects):
    for aspect in aspects:
        graph.emit(Mcp(entityUrn=urn, aspect=aspect))


def short(urns):
    return sorted(name_of(str(urn)) for urn in urns)


def name_of(urn):
    """What the entities that are made here are called; of others the URN."""
    return NAMES.get(urn) or (urn.split(",")[1].split(".")[-1] if ",rare." in urn else urn)


emit(USER, models.CorpUserInfoClass(active=True, displayName="Una", fullName="Una Ware", email="una@example.org"))
emit(GROUP, models.CorpGroupInfoClass(admins=[], members=[], groups=[], displayName="Unit"))
emit(TAG, models.TagPropertiesClass(name="rare"))
emit(TERM, models.GlossaryTermInfoClass(definition="Seldom", termSource="INTERNAL", name="Rare"))
emit(DOMAIN, models.DomainPropertiesClass(name="Whole"))
emit(PART, models.DomainPropertiesClass(name="Part", parentDomain=DOMAIN))
database = Container(DatabaseKey(platform="snowflake", database="rare", env="DEV"), display_name="rare", subtype="Database")
a = Dataset(
    platform="snowflake",
    name="rare.A",
    display_name="A",
    env="DEV",
    parent_container=database,
    subtype="Table",
    tags=[TAG],
    owners=[USER],
    terms=[TERM],
    domain=PART,
    custom_properties={"team": "core"},
    schema=[("id", "int")],
)
b = Dataset(platform="snowflake", name="rare.b", display_name="b", subtype="View", owners=[GROUP], schema=[("id", "int")])
c = Dataset(platform="bigquery", name="rare.c", display_name="c", domain=DOMAIN, schema=[("id", "int")])
gone = Dataset(platform="bigquery", name="rare.gone", display_name="gone")
chart = Chart(platform="looker", name="rare_chart", display_name="chart", input_datasets=[a.urn])
board = Dashboard(platform="looker", name="rare_board", display_name="board", charts=[chart.urn])
for entity in (database, a, b, c, gone, chart, board):
    client.entities.upsert(entity)
graph.soft_delete_entity(str(gone.urn))
A, B, C = str(a.urn), str(b.urn), str(c.urn)
NAMES = {str(database.urn): "database", str(chart.urn): "chart", str(board.urn): "board"}


@step("each filter of the search client")
def _():
    platforms = F.platform(["snowflake", "bigquery"])
    filters = {
        "type": F.and_(F.entity_type("dataset"), platforms),
        "other types": F.and_(F.not_(F.entity_type("dataset")), F.platform(["snowflake", "looker"])),
        "subtype": F.entity_subtype(["Table", "View"]),
        "deleted": F.and_(platforms, F.soft_deleted(RemovedStatusFilter.ONLY_SOFT_DELETED)),
        "domain": F.domain(DOMAIN),
        "container": F.container(str(database.urn)),
        "in the container": F.container(str(database.urn), direct_descendants_only=True),
        "environment": F.env("DEV"),
        "owner": F.owner([USER, GROUP]),
        "term": F.glossary_term(TERM),
        "tag": F.tag(TAG),
        "not the tag": F.and_(F.not_(F.tag(TAG)), platforms),
        "property": F.has_custom_property("team", "core"),
        "everything": F.and_(F.true(), F.platform("bigquery")),
        "nothing": F.false(),
        "below the domain": F.custom_filter("domains", "DESCENDANTS_INCL", [DOMAIN]),
        "above the domain": F.custom_filter("domains", "ANCESTORS_INCL", [PART]),
        "any case": F.custom_filter("name", "IEQUAL", ["a"]),
    }
    return {name: short(client.search.get_urns(filter=filter)) for name, filter in filters.items()}


@step("entities of every stage of their life")
def _():
    stages = {"include_hidden_lifecycle_stages": True, "include_draft": True}
    return short(graph.get_urns_by_filter(entity_types=["dataset"], platform="snowflake", **stages))


@step("names are resolved")
def _():
    resolve = client.resolve
    return [
        str(urn)
        for urn in (
            resolve.user(name="Una"),
            resolve.user(name="Una Ware"),
            resolve.user(email="una@example.org"),
            resolve.term(name="Rare"),
            resolve.domain(name="Whole"),
        )
    ]


@step("lineage within a filter")
def _():
    found = client.lineage.get_lineage(
        source_urn=A, direction="downstream", max_hops=3, filter=F.entity_type("dashboard")
    )
    return [[name_of(hit.urn), hit.hops] for hit in found]


@step("lineage is added by names of columns")
def _():
    client.lineage.add_lineage(upstream=A, downstream=C, column_lineage="auto_fuzzy")
    hits = client.lineage.get_lineage(source_urn=C, source_column="id", direction="upstream")
    return [[hit.type, hit.hops, [name_of(part.urn.split("(", 1)[1].rsplit(",", 1)[0]) for part in hit.paths]] for hit in hits]


@step("an assertion of columns, reported in each way")
def _():
    urn = "urn:li:assertion:rare"
    client.assertions.sync_custom_assertion(
        urn=urn, entity_urn=A, type="Rows", description="has them", platform_name="dbt", field_paths=["id"], logic="select 1"
    )
    results = []
    for time, (kind, more) in enumerate(
        {
            "INIT": {},
            "SUCCESS": {"properties": [{"key": "rows", "value": "3"}]},
            "FAILURE": {"severity": "HIGH", "external_url": "https://example.org"},
            "ERROR": {"error_type": "UNKNOWN_ERROR", "error_message": "no database"},
        }.items()
    ):
        client.assertions.report_assertion_result(urn, 1_700_000_000_000 + time, kind, **more)
        results.append(graph.get_latest_timeseries_value(urn, models.AssertionRunEventClass, {}).result.type)
    return [graph.get_aspect(urn, models.AssertionInfoClass).customAssertion.logic, results]


@step("a document is published, hidden and shown again")
def _():
    document = Document.create_document(id="rare", title="Rare", text="seldom read", subtype="Note", related_assets=[A])
    client.entities.upsert(document)
    states = []
    for change in (Document.unpublish, Document.hide_from_global_context, Document.publish, Document.show_in_global_search):
        document = client.entities.get(document.urn)
        change(document)
        client.entities.update(document)
        read = client.entities.get(document.urn)
        states.append([read.status, read.show_in_global_context])
    return states


@step("a model, its group and version")
def _():
    group = MLModelGroup(id="rare", platform="mlflow", name="Rare")
    model = MLModel(
        id="rare_1", platform="mlflow", model_group=group.urn, version="1", aliases=["champion"], hyper_params={"rate": "0.1"}
    )
    client.entities.upsert(group)
    client.entities.upsert(model)
    read = client.entities.get(model.urn)
    return [read.model_group == str(group.urn), read.version, read.version_aliases, read.hyper_params[0].value]


def cli(*arguments):
    ended = CliRunner().invoke(datahub, list(arguments))
    if ended.exit_code != 0:
        raise RuntimeError(ended.output[-500:])
    return ended.output


def urns_of(*arguments):
    """The URNs that a search prints, between what it logs."""
    return [line for line in cli("search", "*", *arguments, "--urns-only").splitlines() if line.startswith("urn:li:")]


def kept(name, content):
    """A file for a command; JSON is YAML."""
    with open(name, "w") as file:
        json.dump(content, file)
    return name


@step("agents, their skills and tools")
def _():
    cli("api", "register", "--id", "tool", "--name", "Tool", "--subtype", "mcp_tool", "--param", "q:string:required")
    cli("agent-skill", "register", "--id", "skill", "--name", "Skill", "--requires-tool", "urn:li:api:tool")
    for version in ("2.0", "10.0"):
        agent = {"id": f"agent_{version}", "name": "Agent", "version": version, "version_set": "agents"}
        cli("agent", "upsert", "-f", kept("agent.yml", {**agent, "owners": ["una"], "skills": ["urn:li:agentSkill:skill"]}))
    latest = [
        graph.get_aspect(f"urn:li:aiAgent:agent_{version}", models.VersionPropertiesClass).isLatest
        for version in ("2.0", "10.0")
    ]
    return [latest, list(graph.get_urns_by_filter(entity_types=["aiAgent"]))]


@step("container tag, term, owner and domain reach what is inside")
def _():
    inside = Dataset(platform="snowflake", name="rare.inside", parent_container=database)
    client.entities.upsert(inside)
    for kind, urn in {"tag": TAG, "term": TERM, "owner": USER, "domain": DOMAIN}.items():
        cli("container", kind, "--container-urn", str(database.urn), f"--{kind}-urn", urn)
    read = client.entities.get(inside.urn)
    return [read.tags[0].tag, read.terms[0].urn, read.owners[0].owner, str(read.domain)]


@step("lineage path")
def _():
    return C in cli("lineage", "path", "--from", A, "--to", C, "--format", "json")


@step("search where")
def _():
    where = "platform IN (snowflake, bigquery) AND entity_type = dataset AND NOT tag = urn:li:tag:rare"
    return short(urns_of("--where", where))


@step("search for facets alone, and in an order")
def _():
    facets = json.loads(cli("search", "*", "--filter", "platform=looker", "--facets-only"))["facets"]
    where = "platform = snowflake AND entity_type = dataset"
    ordered = urns_of("--where", where, "--sort-by", "name", "--sort-order", "asc")
    return [any(facet["field"] == "_entityType" for facet in facets), [name_of(urn) for urn in ordered]]


@step("ingest deploy, and again")
def _():
    recipe = kept("recipe.yml", {"source": {"type": "file", "config": {"path": "x"}}})
    urn = "urn:li:dataHubIngestionSource:rare"
    cli("ingest", "deploy", "-n", "Rare", "-c", recipe, "--urn", urn, "--schedule", "5 * * * *", "--time-zone", "UTC")
    cli("ingest", "deploy", "-n", "Rarer", "-c", recipe, "--urn", urn)
    return graph.get_entity_raw(urn)["aspects"]["dataHubIngestionSourceInfo"]["value"]["name"]


@step("ingest mcps")
def _():
    os.makedirs("mcps", exist_ok=True)
    kept("mcps/a.json", [Mcp(entityUrn=dataset("mcps"), aspect=models.StatusClass(removed=False)).to_obj()])
    cli("ingest", "mcps", "mcps")
    return graph.exists(dataset("mcps"))


@step("migrate urns-mapping")
def _():
    below = dataset("below")
    emit(dataset("old"), models.DatasetPropertiesClass(name="old"))
    emit(below, models.UpstreamLineageClass([models.UpstreamClass(dataset=dataset("old"), type="COPY")]))
    cli("migrate", "urns-mapping", "--mapping-file", kept("map.json", {dataset("old"): dataset("new")}), "--force")
    moved = graph.get_aspect(below, models.UpstreamLineageClass).upstreams[0].dataset
    return [graph.exists(dataset("new")), moved == dataset("new"), graph.get_aspect(dataset("old"), models.StatusClass).removed]


@step("migrate schema-field-case")
def _():
    note = models.EditableSchemaFieldInfoClass(fieldPath="ID", description="kept")
    emit(B, models.EditableSchemaMetadataClass(editableSchemaFieldInfo=[note]))
    cli("migrate", "schema-field-case", "--urn", B, "--force")
    fields = graph.get_aspect(B, models.EditableSchemaMetadataClass).editableSchemaFieldInfo
    return [[field.fieldPath, field.description] for field in fields]


def ingest(source, **more):
    pipeline = Pipeline.create({"source": source, "sink": {"type": "datahub-rest", "config": API}, "datahub_api": API, **more})
    pipeline.run()
    pipeline.raise_from_status(raise_warnings=True)


@step("transformers add to what is there")
def _():
    urn = dataset("transformed")
    record = Mcp(entityUrn=urn, aspect=models.DatasetPropertiesClass(name="transformed"))
    emit(urn, models.GlobalTagsClass([models.TagAssociationClass("urn:li:tag:own")]))
    emit(urn, models.OwnershipClass([models.OwnerClass(owner=GROUP, type="DATAOWNER")]))
    emit(urn, models.DomainsClass([PART]))
    added = {
        "simple_add_dataset_tags": {"tag_urns": [TAG]},
        "simple_add_dataset_ownership": {"owner_urns": [USER], "ownership_type": "DATAOWNER"},
        "simple_add_dataset_domain": {"domains": [DOMAIN]},
    }
    ingest(
        {"type": "file", "config": {"path": kept("transformed.json", [record.to_obj()])}},
        transformers=[{"type": kind, "config": {"semantics": "PATCH", **config}} for kind, config in added.items()],
    )
    return [
        [tag.tag for tag in graph.get_tags(urn).tags],
        [owner.owner for owner in graph.get_ownership(urn).owners],
        graph.get_aspect(urn, models.DomainsClass).domains,
    ]


@step("a data product gets assets from a recipe")
def _():
    product = "urn:li:dataProduct:rare"
    emit(product, models.DataProductPropertiesClass(name="Rare", assets=[models.DataProductAssociationClass(destinationUrn=A)]))
    record = Mcp(entityUrn=C, aspect=models.StatusClass(removed=False))
    ingest(
        {"type": "file", "config": {"path": kept("product.json", [record.to_obj()])}},
        transformers=[
            {"type": "simple_add_dataset_dataproduct", "config": {"dataset_to_data_product_urns": {C: product}}}
        ],
    )
    return short(asset.destinationUrn for asset in graph.get_aspect(product, models.DataProductPropertiesClass).assets)


@step("csv-enricher, which keeps what is there")
def _():
    with open("rare.csv", "w") as file:
        file.write("resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain\n")
        file.write(f'"{B}",,[{TERM}],[{TAG}],[{USER}],DATAOWNER,from a table,{DOMAIN}\n"{B}",id,,[{TAG}],,,a number,\n')
    ingest({"type": "csv-enricher", "config": {"filename": "rare.csv", "write_semantics": "PATCH"}})
    column = graph.get_aspect(B, models.EditableSchemaMetadataClass).editableSchemaFieldInfo[0]
    return [sorted(owner.owner for owner in graph.get_ownership(B).owners), graph.get_tags(B).tags[0].tag, column.description, column.globalTags.tags[0].tag]


@step("a glossary of a file")
def _():
    terms = [{"name": "T1", "description": "one", "inherits": ["N.T2"], "domain": DOMAIN}, {"name": "T2", "description": "two"}]
    glossary = {
        "version": "1",
        "source": "shop",
        "owners": {"users": ["una"]},
        "nodes": [{"name": "N", "description": "both", "terms": terms}],
    }
    ingest({"type": "datahub-business-glossary", "config": {"file": kept("glossary.yml", glossary), "enable_auto_id": False}})
    return graph.get_aspect("urn:li:glossaryTerm:N.T1", models.GlossaryRelatedTermsClass).isRelatedTerms


@step("more is gone than a recipe allows")
def _():
    def run(*names):
        records = [Mcp(entityUrn=dataset(f"safe_{name}"), aspect=models.DatasetPropertiesClass(name=name)) for name in names]
        config = {
            "path": kept("safe.json", [record.to_obj() for record in records]),
            "stateful_ingestion": {"enabled": True, "fail_safe_threshold": 10.0},
        }
        try:
            ingest({"type": "file", "config": config}, pipeline_name="rare")
        except Exception as error:
            return "fail_safe_threshold" in str(error) or type(error).__name__
        return True

    run("a", "b", "c")
    run("a")
    return graph.get_aspect(dataset("safe_b"), models.StatusClass).removed


harness.finish()
