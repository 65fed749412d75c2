"""What the SDK finds: URNs by filter, search and lineage clients, and plain GraphQL."""

import harness
from datahub.emitter.mce_builder import make_dataset_urn, make_tag_urn
from datahub.sdk.main_client import DataHubClient
from datahub.sdk.search_filters import FilterDsl as F

graph = harness.connect()
client = DataHubClient(graph=graph)
step = harness.step


def dataset(name):
    return make_dataset_urn("postgres", f"shop.{name}")


def urns(**filters):
    return sorted(graph.get_urns_by_filter(**filters))


@step("urns by type")
def _():
    return urns(entity_types=["dataset"], batch_size=1)


@step("urns by platform and environment")
def _():
    return urns(platform="postgres", env="PROD")


@step("urns by text")
def _():
    return urns(entity_types=["dataset"], query="clean")


@step("urns by a filter")
def _():
    rule = {"field": "name", "values": ["raw"], "condition": "EQUAL"}
    return urns(entity_types=["dataset"], extraFilters=[rule])


@step("nothing by what is not there")
def _():
    return urns(extraFilters=[{"field": "shoeSize", "values": ["44"], "condition": "EQUAL"}])


@step("search client")
def _():
    return sorted(str(urn) for urn in client.search.get_urns(query="table", filter=F.platform("postgres")))


@step("lineage client")
def _():
    found = client.lineage.get_lineage(source_urn=dataset("clean"), direction="upstream", max_hops=3)
    return [[hit.urn, hit.hops] for hit in found]


@step("column lineage")
def _():
    found = client.lineage.get_lineage(source_urn=dataset("clean"), source_column="id", direction="upstream")
    return [
        [hit.urn, hit.hops, [f"{part.entity_name.split('.')[-1]}.{part.column_name}" for part in hit.paths]]
        for hit in found
    ]


@step("graphql")
def _():
    query = "query exists($urn: String!) { entityExists(urn: $urn) }"
    return graph.execute_graphql(query, {"urn": dataset("raw")}, operation_name="exists")


@step("tags")
def _():
    made = graph.create_tag("made")
    added = graph.execute_graphql(
        "mutation add($input: TagAssociationInput!) { addTag(input: $input) }",
        {"input": {"tagUrn": make_tag_urn("made"), "resourceUrn": dataset("raw")}},
    )
    return [made, added["addTag"], graph.remove_tag(make_tag_urn("made"), dataset("raw"))]


harness.finish()
