"""Judges commands of the AWS CLI by the model that the CLI is made from: botocore's.

Reads [{"page", "command"}] from standard input, and writes what is unknown: services, operations, options, and required
options that are missing.
"""

import json
import re
import shlex
import sys

import botocore.session
from botocore import xform_name

# The CLI's own, beside the operations of services.
OWN = {
    "configure get": set(),
    "configure export-credentials": {"format"},
    "configure list-profiles": set(),
    "sso login": set(),
    "ecr get-login-password": set(),
    "logs tail": {"follow", "since", "filter-pattern"},
}
EVERYWHERE = {"query", "output", "region", "profile", "max-items", "no-cli-pager"}

session = botocore.session.get_session()
services = set(session.get_available_services())


def problems(command):
    words = shlex.split(re.sub(r"\$\([^()]*\)", "VALUE", command.replace("…", "VALUE")))
    _, service, operation, *rest = words
    options = {word[2:].split("=")[0] for word in rest if word.startswith("--")}
    own = OWN.get(f"{service} {operation}")
    if own is not None:
        return [f"--{option}" for option in sorted(options - own - EVERYWHERE)]
    if service not in services and service not in ("stepfunctions", "s3api"):
        return [f"no service {service}"]
    model = session.get_service_model({"s3api": "s3"}.get(service, service))
    operations = {xform_name(name, "-"): name for name in model.operation_names}
    if operation not in operations:
        return [f"no operation {operation}"]
    shape = model.operation_model(operations[operation]).input_shape
    members = shape.members if shape else {}
    known = {xform_name(name, "-") for name in members}
    known |= {f"no-{xform_name(name, '-')}" for name, member in members.items() if member.type_name == "boolean"}
    # The CLI asks for the first page of lists by its own names.
    known |= {"limit"} if "limit" in known else set()
    # Without any option it is the name of a command, in a sentence.
    required = {xform_name(name, "-") for name in (shape.required_members if shape and rest else [])}
    return [f"--{option}" for option in sorted(options - known - EVERYWHERE)] + [
        f"without --{option}" for option in sorted(required - options)
    ]


def main():
    found = []
    for asked in json.load(sys.stdin):
        try:
            wrong = problems(asked["command"])
        except ValueError as error:
            wrong = [str(error)]
        if wrong:
            found.append({**asked, "wrong": wrong})
    json.dump(found, sys.stdout)


main()
