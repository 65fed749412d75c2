"""The GraphQL documents in the folder of a package: its .gql files, the texts in its modules that are GraphQL, and what its functions build."""

import ast
import json
import pathlib
import sys
from contextlib import suppress

from graphql import GraphQLError, parse, print_ast
from graphql.language import FragmentDefinitionNode, FragmentSpreadNode, OperationDefinitionNode, Visitor, visit

# Ingestion from other systems speaks GraphQL with those.
OTHERS = ("ingestion/source/",)
OWN = tuple(f"ingestion/source/{name}/" for name in ("common", "datahub", "datahub_documents", "gc", "unstructured"))


def texts(path):
    if path.suffix == ".gql":
        # Its clients leave these lines out before a service that is not the hosted product.
        yield "\n".join(line for line in path.read_text().splitlines() if "#[CLOUD]" not in line)
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "{" in node.value:
            yield node.value


def spreads(node):
    found = set()

    class Names(Visitor):
        def enter_fragment_spread(self, spread: FragmentSpreadNode, *_):
            found.add(spread.name.value)

    visit(node, Names())
    return found


def documents(root):
    operations, fragments = [], {}
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.gql")]):
        name = path.relative_to(root).as_posix()
        if name.startswith(OTHERS) and not name.startswith(OWN):
            continue
        for text in texts(path):
            try:
                parsed = parse(text)
            except GraphQLError:
                continue
            own = {d.name.value: d for d in parsed.definitions if isinstance(d, FragmentDefinitionNode)}
            for fragment in own:
                fragments.setdefault(fragment, own[fragment])
            for found in parsed.definitions:
                if isinstance(found, OperationDefinitionNode) and not is_json(text):
                    operations.append((name, found, own))
    for name, operation, own in operations:
        known = {**fragments, **own}
        wanted, open_ = {}, spreads(operation)
        while open_:
            fragment = open_.pop()
            if fragment in known and fragment not in wanted:
                wanted[fragment] = known[fragment]
                open_ |= spreads(known[fragment])
        title = operation.name.value if operation.name else operation.selection_set.selections[0].name.value
        yield {"name": f"{name}: {title}", "text": "\n".join(map(print_ast, [operation, *wanted.values()]))}


def built():
    """What functions of the SDK and command line put together when they are called: they are, and what they send is kept."""
    from datahub.api.entities.forms.forms import Entities, Filters, Forms
    from datahub.cli import graphql_cli, search_cli
    from datahub.ingestion.graph.client import DataHubGraph

    class Sent(Exception):
        pass

    class Recorder(DataHubGraph):
        def __init__(self):
            pass

        def execute_graphql(self, query, *_, **__):
            texts.append(query)
            raise Sent

        def _ensure_search_flag_supported(self, _):
            pass

    texts, graph, urn = [], Recorder(), "urn:li:assertion:a"
    form = Forms(id="a", name="a", type="COMPLETION", entities=Entities(urns=[urn], filters=Filters(types=["dataset"])))
    for call in (
        lambda: form.upload_entities_for_form(graph),
        lambda: form.create_form_filters(graph),
        lambda: graph.remove_tag("urn:li:tag:a", urn),
        lambda: graph.run_assertion(urn),
        lambda: graph.run_assertions([urn]),
        lambda: graph.run_assertions_for_asset(urn),
        lambda: next(graph.get_urns_by_filter(include_hidden_lifecycle_stages=True, include_draft=True)),
        lambda: graphql_cli._find_type_by_name(graph, "Dataset"),
    ):
        with suppress(Sent):
            call()
    projection = "urn ... on Dataset { platform { ...PlatformFields } }"
    texts += [search_cli._build_search_query(semantic, projection) for semantic in (False, True)]
    for text in texts:
        operation = next(d for d in parse(text).definitions if isinstance(d, OperationDefinitionNode))
        yield {"name": f"built: {operation.name.value}", "text": text}


def is_json(text):
    """`{name}` is a place in a text, not a query."""
    return text.lstrip().startswith("{") and len(text) < 40


root = pathlib.Path(sys.argv[1])
json.dump([*documents(root), *(built() if root.name == "datahub" else ())], sys.stdout)
