"""Leads schemathesis to what is there: left alone it names containers that nobody made, and is answered 404.

ZUN_NAMES holds, as JSON, names and uuids by parameter (`container_ident`). Three of four requests get one of those in their path, and
every other query and body keeps only some of the members that were made up.
"""
import json
import os
import random

import schemathesis

names = json.loads(os.environ["ZUN_NAMES"])
chosen = random.Random(1)
needed = {"image", "template", "registry", "name", "repo", "host", "network"}


@schemathesis.hook
def before_call(context, case, kwargs):
    for name in case.path_parameters or {}:
        if name in names and chosen.random() < 0.75:
            case.path_parameters[name] = chosen.choice(names[name])
    if case.query and chosen.random() < 0.5:
        case.query = some(case.query)
    lead(case.query)
    if isinstance(case.body, dict) and chosen.random() < 0.5:
        case.body = some(case.body)
        lead(case.body)


def some(members):
    return {name: value for name, value in members.items() if name in needed or chosen.random() < 0.25}


def lead(members):
    """Members that name something that is there: an image, a network, a path."""
    if not isinstance(members, dict):
        return
    for name in members:
        if name in names and chosen.random() < 0.75:
            members[name] = chosen.choice(names[name])
