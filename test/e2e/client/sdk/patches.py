"""Every patch builder of the client. Each patch is sent twice; the outcome is what is then read back."""

import json
from typing import Any, Dict, List

from harness import connect, finish, step

from datahub.emitter.mcp_patch_builder import MetadataPatchProposal
from datahub.metadata import schema_classes as models
from datahub.specific.api import ApiPatchBuilder
from datahub.specific.chart import ChartPatchBuilder
from datahub.specific.dashboard import DashboardPatchBuilder
from datahub.specific.datajob import DataJobPatchBuilder
from datahub.specific.dataproduct import DataProductPatchBuilder
from datahub.specific.dataset import DatasetPatchBuilder
from datahub.specific.form import FormPatchBuilder
from datahub.specific.status import StatusPatchBuilder
from datahub.specific.structured_property import StructuredPropertyPatchBuilder

graph = connect()


def dataset_urn(name: str) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:postgres,patched.{name},PROD)"


def column(dataset: str, field: str) -> str:
    return f"urn:li:schemaField:({dataset},{field})"


DATASET = dataset_urn("teapots")
OLD = dataset_urn("old")
CHART = "urn:li:chart:(looker,brews)"
DASHBOARD = "urn:li:dashboard:(looker,kitchen)"
JOB = "urn:li:dataJob:(urn:li:dataFlow:(airflow,brew,PROD),pour)"
API = "urn:li:api:pour"
FORM = "urn:li:form:care"
PRODUCT = "urn:li:dataProduct:crockery"
ADA = "urn:li:corpuser:ada"
STAMP = models.AuditStampClass(time=1, actor=ADA)


def by(source: str) -> models.MetadataAttributionClass:
    return models.MetadataAttributionClass(time=1, actor=ADA, source=f"urn:li:dataHubAction:{source}")


def edge(urn: str) -> models.EdgeClass:
    return models.EdgeClass(destinationUrn=urn, created=STAMP, lastModified=STAMP)


def patch(name: str, aspect: str, builder: MetadataPatchProposal) -> None:
    send_twice(name, builder.urn, aspect, builder.build())


def plain_patch(name: str, aspect: str, *operations: Dict[str, Any]) -> None:
    """What clients before 1.0 send: operations without keys."""
    proposal = models.MetadataChangeProposalClass(
        entityType="dataset",
        entityUrn=OLD,
        changeType=models.ChangeTypeClass.PATCH,
        aspectName=aspect,
        aspect=models.GenericAspectClass(json.dumps(operations).encode(), "application/json-patch+json"),
    )
    send_twice(name, OLD, aspect, [proposal])


def send_twice(name: str, urn: str, aspect: str, proposals: List[models.MetadataChangeProposalClass]) -> None:
    """One step: the patch twice, and the aspect that it leaves."""

    @step(name)
    def _():
        assert {proposal.aspectName for proposal in proposals} == {aspect}
        states = []
        for _ in range(2):
            for proposal in proposals:
                graph.emit(proposal)
            states.append(graph.get_entity_raw(urn, [aspect])["aspects"].get(aspect))
        first, second = states
        typed = graph.get_aspect(urn, models.ASPECT_NAME_MAP[aspect])
        assert typed is not None and typed.validate(), f"{aspect} cannot be read as what it is"
        return {
            "value": second["value"],
            "same": first == second,
        }


# Tags, terms, owners: on a dataset that does not exist before the first of them.
patch("add a tag", "globalTags", DatasetPatchBuilder(DATASET).add_tag(models.TagAssociationClass("urn:li:tag:fragile")))
patch(
    "add a tag of another source",
    "globalTags",
    DatasetPatchBuilder(DATASET)
    .add_tag(models.TagAssociationClass("urn:li:tag:fragile", attribution=by("scanner")))
    .add_tag(models.TagAssociationClass("urn:li:tag:hot", attribution=by("scanner"))),
)
patch(
    "remove the tag of one source",
    "globalTags",
    DatasetPatchBuilder(DATASET).remove_tag("urn:li:tag:hot", attribution_source="urn:li:dataHubAction:scanner"),
)
patch("remove a tag", "globalTags", DatasetPatchBuilder(DATASET).remove_tag("urn:li:tag:fragile"))
patch("remove a tag that is not there", "globalTags", DatasetPatchBuilder(DATASET).remove_tag("urn:li:tag:gone"))
patch(
    "add terms",
    "glossaryTerms",
    DatasetPatchBuilder(DATASET)
    .add_term(models.GlossaryTermAssociationClass("urn:li:glossaryTerm:Crockery"))
    .add_term(models.GlossaryTermAssociationClass("urn:li:glossaryTerm:Glaze")),
)
patch("remove a term", "glossaryTerms", DatasetPatchBuilder(DATASET).remove_term("urn:li:glossaryTerm:Glaze"))
patch(
    "add owners",
    "ownership",
    DatasetPatchBuilder(DATASET)
    .add_owner(models.OwnerClass(ADA, models.OwnershipTypeClass.DATAOWNER))
    .add_owner(models.OwnerClass(ADA, models.OwnershipTypeClass.TECHNICAL_OWNER))
    .add_owner(models.OwnerClass("urn:li:corpGroup:tasters", models.OwnershipTypeClass.DATAOWNER))
    .add_owner(
        models.OwnerClass(
            "urn:li:corpuser:bela", models.OwnershipTypeClass.CUSTOM, typeUrn="urn:li:ownershipType:steward"
        )
    ),
)
patch(
    "remove an owner of one type",
    "ownership",
    DatasetPatchBuilder(DATASET).remove_owner("urn:li:corpGroup:tasters", models.OwnershipTypeClass.DATAOWNER),
)
patch("remove an owner of all types", "ownership", DatasetPatchBuilder(DATASET).remove_owner(ADA))
patch(
    "set owners",
    "ownership",
    DatasetPatchBuilder(DATASET).set_owners([models.OwnerClass(ADA, models.OwnershipTypeClass.DATAOWNER)]),
)

# Structured properties: first their definitions, also by patches.
patch(
    "define a property",
    "propertyDefinition",
    StructuredPropertyPatchBuilder("urn:li:structuredProperty:patched.retention")
    .set_qualified_name("patched.retention")
    .set_display_name("Retention")
    .set_value_type("urn:li:dataType:datahub.number")
    .set_cardinality("MULTIPLE")
    .set_description("Days that rows are kept")
    .add_entity_type("urn:li:entityType:datahub.dataset")
    .add_entity_type("urn:li:entityType:datahub.schemaField")
    .add_allowed_value(models.PropertyValueClass(value=30.0, description="a month"))
    .add_allowed_value(models.PropertyValueClass(value=365.0)),
)
patch(
    "widen a property",
    "propertyDefinition",
    StructuredPropertyPatchBuilder("urn:li:structuredProperty:patched.retention")
    .set_display_name("Kept for")
    .add_allowed_value(models.PropertyValueClass(value=7.0)),
)
patch(
    "define a property of users",
    "propertyDefinition",
    StructuredPropertyPatchBuilder("urn:li:structuredProperty:patched.steward")
    .set_qualified_name("patched.steward")
    .set_value_type("urn:li:dataType:datahub.urn")
    .set_type_qualifier({"allowedTypes": ["urn:li:entityType:datahub.corpuser"]})
    .set_cardinality("SINGLE")
    .set_immutable(False)
    .add_entity_type("urn:li:entityType:datahub.dataset"),
)
patch(
    "set properties",
    "structuredProperties",
    DatasetPatchBuilder(DATASET)
    .set_structured_property("patched.retention", [30.0, 365.0])
    .set_structured_property("urn:li:structuredProperty:patched.steward", ADA),
)
patch(
    "set a property again",
    "structuredProperties",
    DatasetPatchBuilder(DATASET).add_structured_property("patched.retention", 7.0),
)
patch(
    "remove a property",
    "structuredProperties",
    DatasetPatchBuilder(DATASET).remove_structured_property("patched.steward"),
)

# What a dataset says of itself.
patch(
    "add custom properties",
    "datasetProperties",
    DatasetPatchBuilder(DATASET).add_custom_property("room", "kitchen").add_custom_properties({"a/b~c": "1", "shelf": "2"}),
)
patch("remove a custom property", "datasetProperties", DatasetPatchBuilder(DATASET).remove_custom_property("a/b~c"))
patch(
    "set name, description and times",
    "datasetProperties",
    DatasetPatchBuilder(DATASET)
    .set_display_name("teapots")
    .set_qualified_name("shop.teapots")
    .set_description("Every pot")
    .set_external_url("https://example.org/teapots")
    .set_created(models.TimeStampClass(time=1, actor=ADA))
    .set_last_modified(models.TimeStampClass(time=2)),
)
patch(
    "set custom properties",
    "datasetProperties",
    DatasetPatchBuilder(DATASET).set_custom_properties({"only": "this"}),
)
patch(
    "set the editable description",
    "editableDatasetProperties",
    DatasetPatchBuilder(DATASET).set_description("Every pot that we sell", editable=True),
)
patch(
    "add tags and terms of columns",
    "editableSchemaMetadata",
    DatasetPatchBuilder(DATASET)
    .for_field("glaze")
    .add_tag(models.TagAssociationClass("urn:li:tag:shiny"))
    .add_tag(models.TagAssociationClass("urn:li:tag:hot"))
    .add_term(models.GlossaryTermAssociationClass("urn:li:glossaryTerm:Glaze"))
    .parent()
    .for_field("maker.[type=struct].name")
    .add_tag(models.TagAssociationClass("urn:li:tag:person"))
    .parent(),
)
patch(
    "remove a tag and a term of a column",
    "editableSchemaMetadata",
    DatasetPatchBuilder(DATASET)
    .for_field("glaze")
    .remove_tag("urn:li:tag:hot")
    .remove_term("urn:li:glossaryTerm:Glaze")
    .parent(),
)
# Lineage.
patch(
    "add upstreams",
    "upstreamLineage",
    DatasetPatchBuilder(DATASET)
    .add_upstream_lineage(models.UpstreamClass(dataset_urn("clay"), models.DatasetLineageTypeClass.TRANSFORMED, STAMP))
    .add_upstream_lineage(models.UpstreamClass(dataset_urn("glazes"), models.DatasetLineageTypeClass.COPY, STAMP)),
)
patch("remove an upstream", "upstreamLineage", DatasetPatchBuilder(DATASET).remove_upstream_lineage(dataset_urn("glazes")))
FINE = models.FineGrainedLineageClass(
    upstreamType=models.FineGrainedLineageUpstreamTypeClass.FIELD_SET,
    downstreamType=models.FineGrainedLineageDownstreamTypeClass.FIELD,
    upstreams=[column(dataset_urn("clay"), "id"), column(dataset_urn("clay"), "kiln/no")],
    downstreams=[column(DATASET, "id")],
    confidenceScore=1.0,
)
TRANSFORMED = models.FineGrainedLineageClass(
    upstreamType=models.FineGrainedLineageUpstreamTypeClass.FIELD_SET,
    downstreamType=models.FineGrainedLineageDownstreamTypeClass.FIELD,
    upstreams=[column(dataset_urn("clay"), "colour")],
    downstreams=[column(DATASET, "glaze")],
    transformOperation="LOWER(colour)",
    query="urn:li:query:glazing",
    confidenceScore=0.5,
)
patch(
    "add lineage of columns",
    "upstreamLineage",
    DatasetPatchBuilder(DATASET).add_fine_grained_lineage(FINE).add_fine_grained_lineage(TRANSFORMED),
)
patch(
    "remove lineage of columns",
    "upstreamLineage",
    DatasetPatchBuilder(DATASET).remove_fine_grained_lineage(
        models.FineGrainedLineageClass(
            upstreamType=models.FineGrainedLineageUpstreamTypeClass.FIELD_SET,
            downstreamType=models.FineGrainedLineageDownstreamTypeClass.FIELD,
            upstreams=[column(dataset_urn("clay"), "kiln/no")],
            downstreams=[column(DATASET, "id")],
        )
    ),
)
patch(
    "set lineage of columns",
    "upstreamLineage",
    DatasetPatchBuilder(DATASET).set_fine_grained_lineages([FINE]),
)
patch(
    "set upstreams",
    "upstreamLineage",
    DatasetPatchBuilder(DATASET).set_upstream_lineages(
        [models.UpstreamClass(dataset_urn("kilns"), models.DatasetLineageTypeClass.VIEW, STAMP)]
    ),
)

# Other aspects that several builders share.
patch(
    "add siblings",
    "siblings",
    DatasetPatchBuilder(DATASET).add_sibling(dataset_urn("cups"), primary=True).add_sibling(dataset_urn("bowls")),
)
patch("remove a sibling", "siblings", DatasetPatchBuilder(DATASET).remove_sibling(dataset_urn("bowls")))
patch(
    "add documentation",
    "documentation",
    DatasetPatchBuilder(DATASET)
    .add_documentation(models.DocumentationAssociationClass("By hand"))
    .add_documentation(models.DocumentationAssociationClass("By machine", attribution=by("writer"))),
)
patch(
    "remove documentation of one source",
    "documentation",
    DatasetPatchBuilder(DATASET).remove_documentation("urn:li:dataHubAction:writer"),
)
patch(
    "add a domain",
    "domains",
    DatasetPatchBuilder(DATASET).add_domain(
        models.DomainAssociationClass("urn:li:domain:kitchen", attribution=by("scanner"))
    ),
)
patch("remove a domain", "domains", DatasetPatchBuilder(DATASET).remove_domain("urn:li:domain:kitchen"))
patch("remove an entity softly", "status", StatusPatchBuilder(DATASET).set_removed(True))
patch("bring it back", "status", StatusPatchBuilder(DATASET).set_removed(False))

# Charts, dashboards, jobs.
patch(
    "make a chart",
    "chartInfo",
    ChartPatchBuilder(CHART)
    .set_title("Brews")
    .set_description("By hour")
    .set_last_modified(models.ChangeAuditStampsClass(created=STAMP, lastModified=STAMP))
    .add_input_edge(edge(DATASET))
    .add_input_edge(edge(dataset_urn("cups")))
    .set_external_url("https://example.org/chart")
    .set_chart_url("https://example.org/brews")
    .set_type(models.ChartTypeClass.BAR)
    .set_access(models.AccessLevelClass.PUBLIC)
    .set_last_refreshed(3)
    .add_custom_property("room", "kitchen"),
)
patch("remove an input of a chart", "chartInfo", ChartPatchBuilder(CHART).remove_input_edge(dataset_urn("cups")))
patch(
    "add a tag to a chart",
    "globalTags",
    ChartPatchBuilder(CHART).add_tag(models.TagAssociationClass("urn:li:tag:hot")),
)
patch("set inputs of a chart", "chartInfo", ChartPatchBuilder(CHART).set_input_edges([edge(dataset_urn("bowls"))]))
patch(
    "make a dashboard",
    "dashboardInfo",
    DashboardPatchBuilder(DASHBOARD)
    .set_title("Kitchen")
    .set_description("At a glance")
    .set_last_modified(models.ChangeAuditStampsClass(created=STAMP, lastModified=STAMP))
    .set_dashboard_url("https://example.org/kitchen")
    .set_access(models.AccessLevelClass.PRIVATE)
    .add_chart_edge(edge(CHART))
    .add_chart_edge(edge("urn:li:chart:(looker,cups)"))
    .add_dataset_edge(edge(DATASET))
    .add_dashboard(edge("urn:li:dashboard:(looker,house)")),
)
patch(
    "remove edges of a dashboard",
    "dashboardInfo",
    DashboardPatchBuilder(DASHBOARD).remove_chart_edge("urn:li:chart:(looker,cups)").remove_dataset_edge(DATASET),
)
patch(
    "add an owner to a dashboard",
    "ownership",
    DashboardPatchBuilder(DASHBOARD).add_owner(models.OwnerClass(ADA, models.OwnershipTypeClass.DATAOWNER)),
)
patch(
    "make inputs and outputs of a job",
    "dataJobInputOutput",
    DataJobPatchBuilder(JOB)
    .add_input_dataset(edge(dataset_urn("clay")))
    .add_input_dataset(edge(dataset_urn("glazes")))
    .add_output_dataset(edge(DATASET))
    .add_input_datajob(edge("urn:li:dataJob:(urn:li:dataFlow:(airflow,brew,PROD),boil)"))
    .add_input_dataset_field(column(dataset_urn("clay"), "id"))
    .add_input_dataset_field(column(dataset_urn("clay"), "colour"))
    .add_output_dataset_field(column(DATASET, "id"))
    .add_fine_grained_lineage(FINE),
)
patch(
    "remove inputs and outputs of a job",
    "dataJobInputOutput",
    DataJobPatchBuilder(JOB)
    .remove_input_dataset(dataset_urn("glazes"))
    .remove_input_dataset_field(column(dataset_urn("clay"), "colour"))
    .remove_output_dataset_field(column(DATASET, "id"))
    .remove_input_datajob("urn:li:dataJob:(urn:li:dataFlow:(airflow,brew,PROD),boil)"),
)
patch(
    "make a chart of inputs alone",
    "chartInfo",
    ChartPatchBuilder("urn:li:chart:(looker,cups)")
    .set_last_modified(models.ChangeAuditStampsClass(created=STAMP, lastModified=STAMP))
    .add_inputs([DATASET, dataset_urn("cups")]),
)
patch(
    "make an API",
    "apiSignature",
    ApiPatchBuilder(API).add_input_dataset(DATASET).add_input_dataset(dataset_urn("cups")).add_output_dataset(DATASET),
)
patch("remove an input of an API", "apiSignature", ApiPatchBuilder(API).remove_input_dataset(dataset_urn("cups")))


def prompt(name: str) -> models.FormPromptClass:
    about = models.StructuredPropertyParamsClass(urn="urn:li:structuredProperty:patched.retention")
    return models.FormPromptClass(
        id=name, title=name, type=models.FormPromptTypeClass.STRUCTURED_PROPERTY, structuredPropertyParams=about
    )


patch(
    "make a form",
    "formInfo",
    FormPatchBuilder(FORM)
    .set_name("Care")
    .add_prompts([prompt("how"), prompt("when")])
    .set_ownership_form(False)
    .add_assigned_user(ADA)
    .add_assigned_user("urn:li:corpuser:bela")
    .add_assigned_group("urn:li:corpGroup:tasters")
    .add_assigned_ownership_type("urn:li:ownershipType:cook"),
)
patch(
    "remove prompts and people of a form",
    "formInfo",
    FormPatchBuilder(FORM)
    .remove_prompt("when")
    .remove_assigned_user(ADA)
    .remove_assigned_group("urn:li:corpGroup:tasters")
    .remove_assigned_ownership_type("urn:li:ownershipType:cook"),
)
patch(
    "make a data product",
    "dataProductProperties",
    DataProductPatchBuilder(PRODUCT)
    .set_name("Crockery")
    .set_parent_data_product("urn:li:dataProduct:kitchen")
    .add_asset(DATASET, output_port=True)
    .add_asset(dataset_urn("cups"))
    .add_custom_property("room", "kitchen"),
)
patch(
    "remove an asset of a data product",
    "dataProductProperties",
    DataProductPatchBuilder(PRODUCT).remove_asset(dataset_urn("cups")).remove_custom_property("room"),
)
patch(
    "add a link",
    "institutionalMemory",
    DataProductPatchBuilder(PRODUCT).add_institutional_memory(
        models.InstitutionalMemoryMetadataClass("https://example.org/a?b=c", "docs", STAMP)
    ),
)

# Older clients.


def add(path: str, value: Any) -> Dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def remove(path: str) -> Dict[str, Any]:
    return {"op": "remove", "path": path, "value": {}}


plain_patch(
    "old: add tags",
    "globalTags",
    *(add(f"/tags/urn:li:tag:{name}", {"tag": f"urn:li:tag:{name}"}) for name in ("hot", "fragile")),
)
plain_patch("old: remove a tag", "globalTags", remove("/tags/urn:li:tag:hot"))
plain_patch(
    "old: add a term",
    "glossaryTerms",
    add("/terms/urn:li:glossaryTerm:Crockery", {"urn": "urn:li:glossaryTerm:Crockery"}),
)
plain_patch(
    "old: add owners",
    "ownership",
    *(add(f"/owners/{ADA}/{kind}", {"owner": ADA, "type": kind}) for kind in ("DATAOWNER", "TECHNICAL_OWNER")),
)
plain_patch("old: remove an owner of one type", "ownership", remove(f"/owners/{ADA}/DATAOWNER"))
plain_patch(
    "old: set a property",
    "structuredProperties",
    add(
        "/properties/urn:li:structuredProperty:patched.retention",
        {"propertyUrn": "urn:li:structuredProperty:patched.retention", "values": [{"double": 30.0}]},
    ),
)

finish()
