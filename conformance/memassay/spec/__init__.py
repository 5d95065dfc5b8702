"""The spec: rules, cases, constants, and how their short forms become values and directories."""

from memassay.spec.constants import constants, table
from memassay.spec.errors import BuilderError, SpecError, Where
from memassay.spec.locate import DEFAULT_VERSION

__all__ = ["DEFAULT_VERSION", "BuilderError", "SpecError", "Where", "constants", "table"]
