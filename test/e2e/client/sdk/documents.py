"""The GraphQL documents in the folder of a package: its .gql files and the texts in its modules that are GraphQL."""

import ast
import json
import pathlib
import sys

from graphql import GraphQLError, parse, print_ast
from graphql.language import FragmentDefinitionNode, FragmentSpreadNode, OperationDefinitionNode, Visitor, visit

# Ingestion from other systems speaks GraphQL with those.
OTHERS = ("ingestion/source/",)
OWN = ("ingestion/source/gc/", "ingestion/source/datahub/")


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


def is_json(text):
    """`{name}` is a place in a text, not a query."""
    return text.lstrip().startswith("{") and len(text) < 40


json.dump(list(documents(pathlib.Path(sys.argv[1]))), sys.stdout)
