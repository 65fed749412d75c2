"""The client's newer interface: entities as objects, and lineage between them."""

import warnings
from datetime import datetime, timezone

from harness import SERVER, TOKEN, finish, step

warnings.simplefilter("ignore")

from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.mcp_builder import DatabaseKey, SchemaKey
from datahub.metadata import schema_classes as models
from datahub.metadata.urns import (
    ChartUrn,
    CorpUserUrn,
    DashboardUrn,
    DataFlowUrn,
    DataJobUrn,
    DatasetUrn,
    DomainUrn,
    GlossaryNodeUrn,
    GlossaryTermUrn,
    TagUrn,
)
from datahub.sdk import (
    Chart,
    Container,
    Dashboard,
    DataFlow,
    DataHubClient,
    DataJob,
    Dataset,
    GlossaryNode,
    GlossaryTerm,
    Tag,
)
from datahub.sdk.metric import Metric
from datahub.sdk.semantic_model import AiContextInput, SemanticFieldInput, SemanticModel, SemanticModelDataset
from datahub.specific.dataset import DatasetPatchBuilder

client = DataHubClient(server=SERVER, token=TOKEN)
graph = client._graph
TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
ADA = CorpUserUrn("ada")


def texts(items) -> list:
    return sorted(str(item) for item in items or [])


def names(associations, field: str) -> list:
    return sorted(str(getattr(association, field)) for association in associations or [])


def dataset(name: str, **more) -> Dataset:
    return Dataset(
        platform="postgres",
        name=f"sdk.public.{name}",
        schema=[("id", "bigint", "Number"), ("glaze", "varchar"), ("sold", "date")],
        **more,
    )


@step("connects")
def _():
    client.test_connection()


@step("tag")
def _():
    client.entities.upsert(Tag(name="sdk_fragile", display_name="Fragile", description="Breaks", color="#ff0000", owners=[ADA]))
    tag = client.entities.get(TagUrn("sdk_fragile"))
    tag.set_description("Breaks at once")
    client.entities.update(tag)
    again = client.entities.get("urn:li:tag:sdk_fragile")
    return [again.display_name, again.description, again.color, names(again.owners, "owner")]


@step("glossary")
def _():
    client.entities.upsert(GlossaryNode(id="sdk_kitchen", display_name="Kitchen", definition="All of it", owners=[ADA]))
    client.entities.upsert(GlossaryTerm(id="sdk_tea", display_name="Tea", definition="Leaves"))
    client.entities.upsert(
        GlossaryTerm(
            id="sdk_green",
            display_name="Green tea",
            definition="Unfermented leaves",
            parent_node=GlossaryNodeUrn("sdk_kitchen"),
            is_a=[GlossaryTermUrn("sdk_tea")],
            related_terms=[GlossaryTermUrn("sdk_tea")],
            custom_properties={"colour": "green"},
            owners=[ADA],
            links=["https://example.org/green"],
            domain=DomainUrn("sdk"),
        )
    )
    term = client.entities.get(GlossaryTermUrn("sdk_green"))
    term.set_definition("Leaves that were heated early")
    client.entities.update(term)
    again = client.entities.get(GlossaryTermUrn("sdk_green"))
    return [
        again.display_name,
        again.definition,
        str(again.parent_node),
        texts(again.is_a),
        texts(again.related_terms),
        again.custom_properties,
        client.entities.get(GlossaryNodeUrn("sdk_kitchen")).definition,
    ]


@step("containers")
def _():
    database = DatabaseKey(platform="postgres", database="sdk")
    schema = SchemaKey(platform="postgres", database="sdk", schema="public")
    client.entities.upsert(Container(database, display_name="sdk", subtype="Database", description="All of the shop"))
    client.entities.upsert(
        Container(schema, display_name="public", subtype="Schema", tags=[TagUrn("sdk_fragile")], created=TIME)
    )
    container = client.entities.get(schema.as_urn_typed())
    container.set_description("The front room")
    client.entities.update(container)
    again = client.entities.get(schema.as_urn())
    return [
        again.display_name,
        again.description,
        again.subtype,
        str(again.parent_container) == database.as_urn(),
        [str(urn) for urn in again.browse_path] == [database.as_urn()],
        names(again.tags, "tag"),
        again.created == TIME,
    ]


TEAPOTS = DatasetUrn("postgres", "sdk.public.teapots")
CLAY = DatasetUrn("postgres", "sdk.public.clay")


def describe(read: Dataset) -> dict:
    return {
        "name": read.display_name,
        "qualified": read.qualified_name,
        "description": read.description,
        "url": read.external_url,
        "custom": read.custom_properties,
        "times": [read.created == TIME, read.last_modified == TIME],
        "container": str(read.parent_container) == SchemaKey(platform="postgres", database="sdk", schema="public").as_urn(),
        "subtype": read.subtype,
        "owners": names(read.owners, "owner"),
        "links": names(read.links, "url"),
        "tags": names(read.tags, "tag"),
        "terms": names(read.terms, "urn"),
        "domain": str(read.domain),
        "upstreams": [upstream.dataset for upstream in read.upstreams.upstreams] if read.upstreams else None,
        "columns": [
            [field.field_path, field.mapped_type.type.__class__.__name__, field.native_type, field.description]
            for field in read.schema
        ],
        "properties": [[str(value.propertyUrn), value.values] for value in read.structured_properties or []],
    }


@step("dataset is made")
def _():
    room = models.StructuredPropertyDefinitionClass(
        qualifiedName="sdk.room",
        valueType="urn:li:dataType:datahub.string",
        entityTypes=["urn:li:entityType:datahub.dataset"],
        cardinality="MULTIPLE",
    )
    graph.emit_mcp(MetadataChangeProposalWrapper(entityUrn="urn:li:structuredProperty:sdk.room", aspect=room))
    client.entities.upsert(dataset("clay"))
    client.entities.upsert(
        dataset(
            "teapots",
            display_name="teapots",
            qualified_name="shop.teapots",
            description="Every pot",
            external_url="https://example.org/teapots",
            custom_properties={"room": "kitchen"},
            created=TIME,
            last_modified=TIME,
            parent_container=SchemaKey(platform="postgres", database="sdk", schema="public"),
            subtype="Table",
            owners=[ADA, (CorpUserUrn("bela"), models.OwnershipTypeClass.DATAOWNER)],
            links=[("https://example.org/docs", "docs")],
            tags=[TagUrn("sdk_fragile")],
            terms=[GlossaryTermUrn("sdk_tea")],
            domain=DomainUrn("sdk"),
            upstreams=[CLAY],
            structured_properties={"urn:li:structuredProperty:sdk.room": ["kitchen", "shop"]},
        )
    )
    return describe(client.entities.get(TEAPOTS))


@step("dataset is changed")
def _():
    read = client.entities.get(TEAPOTS)
    read.add_tag(TagUrn("sdk_hot"))
    read.remove_owner(CorpUserUrn("bela"))
    read.add_term(GlossaryTermUrn("sdk_green"))
    read.set_description("Every pot that we sell")
    read["glaze"].set_description("How it shines")
    read["glaze"].add_tag(TagUrn("sdk_hot"))
    read["glaze"].add_term(GlossaryTermUrn("sdk_green"))
    client.entities.update(read)
    again = client.entities.get(TEAPOTS)
    return {
        "tags": names(again.tags, "tag"),
        "terms": names(again.terms, "urn"),
        "owners": names(again.owners, "owner"),
        "description": again.description,
        "column": [again["glaze"].description, names(again["glaze"].tags, "tag"), names(again["glaze"].terms, "urn")],
        "edited": graph.get_aspect(str(TEAPOTS), models.EditableDatasetPropertiesClass).description,
    }


@step("a change of nothing keeps versions")
def _():
    versions = lambda: {
        name: aspect["systemMetadata"]["version"] for name, aspect in graph.get_entity_raw(str(TEAPOTS))["aspects"].items()
    }
    before = versions()
    client.entities.update(client.entities.get(TEAPOTS))
    return before == versions()


@step("dataset is patched")
def _():
    client.entities.update(DatasetPatchBuilder(str(TEAPOTS)).add_custom_property("shelf", "2"))
    return client.entities.get(TEAPOTS).custom_properties


@step("create refuses what is there")
def _():
    client.entities.create(dataset("created", description="new"))
    created = client.entities.get(DatasetUrn("postgres", "sdk.public.created")).description
    try:
        client.entities.create(dataset("created", description="newer"))
    except Exception as error:
        return [created, type(error).__name__]


@step("what is not there")
def _():
    client.entities.get(DatasetUrn("postgres", "sdk.public.no"))


@step("flow and job")
def _():
    client.entities.upsert(
        DataFlow(platform="airflow", name="sdk_brew", display_name="Brew", description="Every day", owners=[ADA], created=TIME)
    )
    flow = client.entities.get(DataFlowUrn("airflow", "sdk_brew", "PROD"))
    client.entities.upsert(
        DataJob(
            name="pour",
            flow=flow,
            display_name="Pour",
            description="Hot water",
            tags=[TagUrn("sdk_hot")],
            custom_properties={"room": "kitchen"},
            inlets=[CLAY],
            outlets=[TEAPOTS],
            fine_grained_lineages=[
                models.FineGrainedLineageClass(
                    models.FineGrainedLineageUpstreamTypeClass.FIELD_SET,
                    models.FineGrainedLineageDownstreamTypeClass.FIELD,
                    upstreams=[f"urn:li:schemaField:({CLAY},id)"],
                    downstreams=[f"urn:li:schemaField:({TEAPOTS},id)"],
                )
            ],
        )
    )
    urn = DataJobUrn(str(flow.urn), "pour")
    job = client.entities.get(urn)
    job.set_description("Hotter water")
    client.entities.update(job)
    again = client.entities.get(urn)
    return [
        flow.display_name,
        flow.description,
        flow.created == TIME,
        again.display_name,
        again.description,
        texts(again.inlets),
        texts(again.outlets),
        len(again.fine_grained_lineages),
        again.custom_properties,
    ]


@step("chart and dashboard")
def _():
    client.entities.upsert(
        Chart(
            name="sdk_brews",
            platform="looker",
            display_name="Brews",
            description="By hour",
            chart_url="https://example.org/brews",
            chart_type=models.ChartTypeClass.BAR,
            access="PUBLIC",
            input_datasets=[TEAPOTS],
            tags=[TagUrn("sdk_hot")],
            last_modified=TIME,
        )
    )
    client.entities.upsert(Dashboard(name="sdk_house", platform="looker", display_name="House", description="All"))
    client.entities.upsert(
        Dashboard(
            name="sdk_kitchen",
            platform="looker",
            display_name="Kitchen",
            description="At a glance",
            dashboard_url="https://example.org/kitchen",
            charts=[ChartUrn("looker", "sdk_brews")],
            input_datasets=[TEAPOTS],
            dashboards=[DashboardUrn("looker", "sdk_house")],
            owners=[ADA],
            last_modified=TIME,
        )
    )
    chart = client.entities.get(ChartUrn("looker", "sdk_brews"))
    chart.add_input_dataset(CLAY)
    chart.set_description("By the hour")
    client.entities.update(chart)
    dashboard = client.entities.get(DashboardUrn("looker", "sdk_kitchen"))
    dashboard.set_description("All at a glance")
    client.entities.update(dashboard)
    chart, dashboard = client.entities.get(chart.urn), client.entities.get(dashboard.urn)
    return [
        chart.display_name,
        chart.description,
        chart.chart_type,
        chart.access,
        texts(chart.input_datasets),
        chart.last_modified.timestamp() == TIME.timestamp(),
        dashboard.display_name,
        dashboard.description,
        texts(dashboard.charts),
        texts(dashboard.input_datasets),
        texts(dashboard.dashboards),
    ]


# Lineage: what add_lineage writes.


def upstreams(urn: DatasetUrn) -> dict:
    lineage = graph.get_aspect(str(urn), models.UpstreamLineageClass)
    return {
        "upstreams": [[u.dataset, u.type] for u in lineage.upstreams],
        "columns": sorted(
            [sorted(fine.upstreams), fine.downstreams, bool(fine.query)] for fine in lineage.fineGrainedLineages or []
        ),
    }


@step("lineage of datasets and their columns")
def _():
    cups = DatasetUrn("postgres", "sdk.public.cups")
    client.entities.upsert(dataset("cups"))
    for _ in range(2):
        client.lineage.add_lineage(upstream=str(CLAY), downstream=str(cups), column_lineage=True)
    client.lineage.add_lineage(upstream=str(TEAPOTS), downstream=str(cups), column_lineage={"sold": ["sold", "id"]})
    return upstreams(cups)


@step("lineage with a query")
def _():
    bowls = DatasetUrn("postgres", "sdk.public.bowls")
    client.entities.upsert(dataset("bowls"))
    client.lineage.add_lineage(
        upstream=str(CLAY),
        downstream=str(bowls),
        column_lineage="auto_strict",
        transformation_text="INSERT INTO bowls SELECT * FROM clay",
    )
    query = graph.get_aspect(str(bowls), models.UpstreamLineageClass).upstreams[0].query
    return {
        **upstreams(bowls),
        "statement": graph.get_aspect(query, models.QueryPropertiesClass).statement.value,
        "subjects": len(graph.get_aspect(query, models.QuerySubjectsClass).subjects),
    }


@step("lineage between other kinds")
def _():
    job, other = (f"urn:li:dataJob:(urn:li:dataFlow:(airflow,sdk_brew,PROD),{name})" for name in ("pour", "boil"))
    chart, dashboard, house = (
        "urn:li:chart:(looker,sdk_brews)",
        "urn:li:dashboard:(looker,sdk_kitchen)",
        "urn:li:dashboard:(looker,sdk_house)",
    )
    client.entities.upsert(DataJob(name="boil", flow_urn="urn:li:dataFlow:(airflow,sdk_brew,PROD)"))
    cups, bowls = (str(DatasetUrn("postgres", f"sdk.public.{name}")) for name in ("cups", "bowls"))
    add = client.lineage.add_lineage
    for _ in range(2):
        add(upstream=cups, downstream=job)
        add(upstream=other, downstream=job)
        add(upstream=job, downstream=bowls)
        add(upstream=bowls, downstream=chart)
        add(upstream=bowls, downstream=dashboard)
        add(upstream=chart, downstream=house)
        add(upstream=dashboard, downstream=house)
    io = graph.get_aspect(job, models.DataJobInputOutputClass)
    info = graph.get_aspect(house, models.DashboardInfoClass)
    to = lambda edges: sorted(edge.destinationUrn for edge in edges or [])
    return {
        "inputs": to(io.inputDatasetEdges),
        "outputs": to(io.outputDatasetEdges),
        "jobs": to(io.inputDatajobEdges),
        "chart": to(graph.get_aspect(chart, models.ChartInfoClass).inputEdges),
        "dashboard": to(graph.get_aspect(dashboard, models.DashboardInfoClass).datasetEdges),
        "house": to(info.chartEdges) + to(info.dashboards),
    }


@step("semantic model, its datasets and metrics")
def _():
    model = SemanticModel(
        platform="snowflake", path="sdk.public", id="pots", ai_context=AiContextInput(synonyms=["crockery"])
    )
    sold = SemanticFieldInput("sold", "number", "MEASURE", aggregation_function="SUM", ai_context=AiContextInput(examples=["How many?"]))
    client.entities.upsert(model)
    client.entities.upsert(
        SemanticModelDataset(
            platform="snowflake", name="sdk.public.pots.sales", semantic_model=model.urn, alias="sales", schema=[sold]
        )
    )
    metric = Metric(
        platform="snowflake",
        path="sdk.public",
        id="sold",
        semantic_model=model.urn,
        expression="SUM(sales.sold)",
        ai_context=AiContextInput(instructions="Pots alone"),
    )
    client.entities.upsert(metric)
    client.entities.update(client.entities.get(metric.urn))
    table = str(DatasetUrn("snowflake", "sdk.public.pots.sales"))
    column = f"urn:li:schemaField:({table},sold)"
    return [
        graph.get_aspect(str(model.urn), models.AiContextClass).synonyms,
        graph.get_aspect(table, models.SemanticModelPropertiesClass),
        graph.get_aspect(column, models.SemanticFieldAnnotationClass),
        graph.get_aspect(column, models.AiContextClass).examples,
        graph.get_aspect(str(metric.urn), models.AiContextClass).instructions,
    ]


@step("deletion")
def _():
    urn = DatasetUrn("postgres", "sdk.public.created")
    client.entities.delete(urn)
    soft = [graph.exists(str(urn)), graph.get_aspect(str(urn), models.StatusClass).removed]
    client.entities.delete(urn, hard=True)
    try:
        client.entities.delete(urn)
    except Exception as error:
        return [soft, graph.exists(str(urn)), type(error).__name__]


finish()
