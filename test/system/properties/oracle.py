"""Answers, by the libraries that the original uses, what a test asks: JSON in, JSON out.

stdin: {"policies": [...], "decrypt": [...], "encrypt": [...], "references": [...]}, each list may be left out.
"""
import base64
import json
import logging
import signal
import sys
import types

from cryptography.fernet import Fernet
from oslo_policy import _parser
from oslo_policy import policy

logging.disable(logging.CRITICAL)


def policies(questions):
    """{rules: {name: text}, credentials, target} -> {name: passes}"""
    return [decisions(**question) for question in questions]


def decisions(rules, credentials, target):
    enforcer = types.SimpleNamespace()
    enforcer.rules = policy.Rules({name: _parser.parse_rule(text) for name, text in rules.items()}, "default")
    return {name: decision(enforcer, name, credentials, target) for name in rules}


def decision(enforcer, name, credentials, target):
    try:
        return bool(enforcer.rules[name](target, credentials, enforcer))
    except Exception as error:
        return type(error).__name__


def fernet(key):
    return Fernet(base64.urlsafe_b64encode(key[:32].encode()))


def decrypt(questions):
    return [fernet(key).decrypt(token.encode()).decode() for key, token in questions]


def encrypt(questions):
    return [fernet(key).encrypt(text.encode()).decode() for key, text in questions]


def references(names):
    # Of zun only this module and its errors are wanted, without all that zun.common.exception imports.
    errors = types.ModuleType("zun.common.exception")
    errors.__getattr__ = lambda name: errors.__dict__.setdefault(name, type(name, (Exception,), {}))
    sys.modules["zun.common.exception"] = errors
    import zun.common

    zun.common.exception = errors
    from zun.common.docker_image import reference

    return [parsed(reference.Reference, name) for name in names]


def give_up(number, frame):
    raise TimeoutError


def parsed(reference, name):
    # Of some names the pattern of the original makes seconds, of others years.
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        found = reference.parse(name)
        domain, path = found.split_hostname()
    except Exception as error:
        return {"error": type(error).__name__}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return {"name": found["name"], "tag": found["tag"], "digest": found["digest"], "domain": domain, "path": path}


answers = {"policies": policies, "decrypt": decrypt, "encrypt": encrypt, "references": references}
json.dump({what: answers[what](asked) for what, asked in json.load(sys.stdin).items()}, sys.stdout)
