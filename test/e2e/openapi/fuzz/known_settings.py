"""
Keeps which checks are made of the answers of an operation. schemathesis puts it together anew for each answer that has a schema, out
of all sections of the settings.
"""

from schemathesis.config import ProjectConfig

put_together = ProjectConfig.checks_config_for
known = {}


def checks_config_for(self, *, operation=None, phase=None):
    key = (id(self), id(operation), phase)
    if key not in known:
        # The operation is kept as well, for no other one to get its id.
        known[key] = (self, operation, put_together(self, operation=operation, phase=phase))
    return known[key][2]


ProjectConfig.checks_config_for = checks_config_for
