"""The Python client of OpenLineage, configured with an address and a token as its integrations are."""

import warnings

from harness import SERVER, TOKEN, finish, step

warnings.simplefilter("ignore")

from datahub.ingestion.graph.client import DatahubClientConfig, DataHubGraph
from datahub.metadata import schema_classes as models
from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import column_lineage_dataset, documentation_job, schema_dataset

RUN = "01a0b5f2-7a20-7c3e-9a70-3a1c9d6f0b11"
PRODUCER = "https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt"
JOB = "urn:li:dataJob:(urn:li:dataFlow:(dbt,third_kettle,models),third_kettle.marts.orders)"
ORDERS = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.marts.orders,PROD)"

client = OpenLineageClient(
    config={
        "transport": {
            "type": "http",
            "url": f"{SERVER}/openapi/openlineage/",
            "auth": {"type": "api_key", "apiKey": TOKEN},
        }
    }
)
graph = DataHubGraph(DatahubClientConfig(server=SERVER, token=TOKEN))


def event(state, time, **more):
    job = Job(
        namespace="models",
        name="third_kettle.marts.orders",
        facets={"documentation": documentation_job.DocumentationJobFacet(description="Builds the order table")},
    )
    return RunEvent(eventType=state, eventTime=time, run=Run(runId=RUN), job=job, producer=PRODUCER, **more)


@step("sends the events of a run")
def _():
    client.emit(event(RunState.START, "2026-06-14T04:00:00+00:00"))
    client.emit(
        event(
            RunState.COMPLETE,
            "2026-06-14T04:30:00.123456+02:00",
            inputs=[InputDataset(namespace="postgres://db:5432", name="shop.staging.orders")],
            outputs=[
                OutputDataset(
                    namespace="postgres://db:5432",
                    name="shop.marts.orders",
                    facets={
                        "schema": schema_dataset.SchemaDatasetFacet(
                            fields=[schema_dataset.SchemaDatasetFacetFields(name="id", type="bigint")]
                        ),
                        "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet(
                            fields={
                                "id": column_lineage_dataset.Fields(
                                    inputFields=[
                                        column_lineage_dataset.InputField(
                                            namespace="postgres://db:5432", name="shop.staging.orders", field="id"
                                        )
                                    ],
                                    transformationDescription="",
                                    transformationType="IDENTITY",
                                )
                            }
                        ),
                    },
                )
            ],
        )
    )
    return True


@step("reads the job")
def _():
    return graph.get_aspect(JOB, models.DataJobInfoClass).description


@step("reads the lineage")
def _():
    lineage = graph.get_aspect(JOB, models.DataJobInputOutputClass)
    return {
        "inputs": [edge.destinationUrn for edge in lineage.inputDatasetEdges],
        "outputs": [edge.destinationUrn for edge in lineage.outputDatasetEdges],
        "columns": len(lineage.fineGrainedLineages),
    }


@step("reads the schema")
def _():
    return [field.fieldPath for field in graph.get_aspect(ORDERS, models.SchemaMetadataClass).fields]


@step("a wrong token")
def _():
    wrong = OpenLineageClient(
        config={
            "transport": {
                "type": "http",
                "url": f"{SERVER}/openapi/openlineage/",
                "auth": {"type": "api_key", "apiKey": "wrong"},
                "retry": {"total": 0},
            }
        }
    )
    wrong.emit(event(RunState.START, "2026-06-14T04:00:00+00:00"))


finish()
