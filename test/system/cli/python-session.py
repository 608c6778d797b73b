"""Serves one Zun session: a request a line on stdin, its answer a line on stdout, both JSON.

Each `openstack` command runs in a fork of this process, so that only the first pays for the imports. Calls of zunclient run here.
"""
import base64
import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
import traceback

import openstack.config
from keystoneauth1 import exceptions as keystone_exceptions
from openstackclient import shell
from zunclient import api_versions
from zunclient.common import base
from zunclient.v1 import client as zun_client
import zunclient.osc.v1.containers  # noqa: F401  what a fork would import anew each time

# Longer than anything at a terminal may take here.
TERMINAL_SECONDS = 60

clients = {}


def client(cloud, version='1.40'):
    if (cloud, version) not in clients:
        region = openstack.config.OpenStackConfig().get_one(cloud=cloud)
        session = region.get_session()
        clients[cloud, version] = zun_client.Client(
            session=session, service_type='container', region_name=region.region_name,
            api_version=api_versions.APIVersion(version))
    return clients[cloud, version]


def encode(value):
    if isinstance(value, base.Resource):
        return value._info
    if isinstance(value, bytes):
        return {'$bytes': base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: encode(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(member) for member in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return repr(value)


def decode(value):
    if isinstance(value, dict):
        if set(value) == {'$bytes'}:
            return base64.b64decode(value['$bytes'])
        return {key: decode(member) for key, member in value.items()}
    return [decode(member) for member in value] if isinstance(value, list) else value


def call(cloud, name, args, kwargs, version='1.40'):
    """`containers.list` and its arguments; `discover_version` is no collection's."""
    collection, _, method = name.rpartition('.')
    try:
        if name == 'discover_version':
            return {'value': str(api_versions.discover_version(client(cloud, '1.1'), api_versions.APIVersion(version)))}
        return {'value': encode(getattr(getattr(client(cloud, version), collection), method)(*decode(args), **decode(kwargs)))}
    except Exception as error:
        return {'error': {'class': type(error).__name__, 'message': str(error), 'status': getattr(error, 'http_status', None)}}


def http(cloud, method, path, body, headers):
    """A request with the session's token, for what zunclient has no call for."""
    api = client(cloud).containers.api
    base_url = api.get_endpoint().removesuffix('/').removesuffix('/v1')
    sent = {'OpenStack-API-Version': 'container 1.40', **headers}
    try:
        answer = api.session.request(base_url + path, method, json=body, headers=sent, raise_exc=False)
    except keystone_exceptions.ClientException as error:
        return {'error': {'class': type(error).__name__, 'message': str(error), 'status': None}}
    return {'value': {'status': answer.status_code, 'headers': dict(answer.headers), 'text': answer.text}}


def set_size(terminal, rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))


def terminal_command(cloud, argv, size, steps):
    """Runs `openstack` in a fork at a terminal of its own, as a person would: waits for text, then types, or changes the window.

    Each step has `until`, a regular expression that what came since the step before has to match, and then `send`, `size` or `hangUp`.
    What is typed is typed again when nothing comes of it for a while: zunclient drops what is typed before it listens.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        code = 70
        try:
            sys.stdin = open(0, closefd=False)
            sys.stdout = io.TextIOWrapper(io.FileIO(1, 'w', closefd=False), encoding='utf-8', write_through=True)
            sys.stderr = io.TextIOWrapper(io.FileIO(2, 'w', closefd=False), encoding='utf-8', write_through=True)
            code = shell.main(['--os-cloud', cloud, *argv]) or 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    set_size(terminal, *size)
    output, seen, problem, typed = b'', 0, None, None
    end = time.monotonic() + TERMINAL_SECONDS
    steps = list(steps)
    while time.monotonic() < end:
        while steps and re.search(steps[0]['until'].encode(), output[seen:], re.DOTALL):
            seen = len(output)
            step = steps.pop(0)
            if 'size' in step:
                typed = None
                set_size(terminal, *step['size'])
            elif 'hangUp' in step:
                os.kill(pid, signal.SIGHUP)
            else:
                typed = step['send'].encode()
                os.write(terminal, typed)
        if not select.select([terminal], [], [], 2)[0]:
            if typed:
                os.write(terminal, typed)
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            # Everybody has let go of the terminal's other end.
            break
        output += piece
    else:
        problem = 'it did not end in time'
        os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    os.close(terminal)
    if steps and problem is None:
        problem = 'it ended before %s came' % steps[0]['until']
    text = output.decode(errors='replace')
    return {'value': {'exitCode': os.waitstatus_to_exitcode(status), 'output': text, 'problem': problem}}


def openstack_command(cloud, argv, folder):
    """Runs `openstack` in a fork and tells how it ended and what it printed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                # The streams of this process are pipes whose buffers must not be written twice.
                sys.stdin = open(0, closefd=False)
                sys.stdout = io.TextIOWrapper(io.FileIO(1, 'w', closefd=False), encoding='utf-8', write_through=True)
                sys.stderr = io.TextIOWrapper(io.FileIO(2, 'w', closefd=False), encoding='utf-8', write_through=True)
                if folder is not None:
                    os.chdir(folder)
                code = shell.main(['--os-cloud', cloud, *argv]) or 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        status = os.waitpid(pid, 0)[1]
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return {'value': {'exitCode': os.waitstatus_to_exitcode(status), 'stdout': texts[0], 'stderr': texts[1]}}


KINDS = {'call': call, 'http': http, 'openstack': openstack_command, 'terminal': terminal_command}

for line in sys.stdin:
    request = json.loads(line)
    answer = KINDS[request.pop('kind')](**request)
    sys.stdout.write(json.dumps(answer) + '\n')
    sys.stdout.flush()
