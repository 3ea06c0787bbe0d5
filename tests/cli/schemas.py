# SPDX-License-Identifier: BSL-1.0
"""The schemas of the program's JSON, and checking against them; without jsonschema a test is skipped."""

import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "harness")


def load(name, part=None):
    """The schema `name`.schema.json, or the part of it that $defs calls so."""
    with open(os.path.join(FOLDER, name + ".schema.json"), encoding="utf-8") as file:
        whole = json.load(file)
    if part is None:
        return whole
    return {"$schema": whole["$schema"], "$ref": "#/$defs/" + part, "$defs": whole["$defs"]}


def check(instance, schema):
    jsonschema.Draft202012Validator(schema).validate(instance)


def check_schema(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
