"""The original zun 18.0.0 on a database: python original.py CONNECTION upgrade|fill|answers|read

upgrade  runs its own `zun-db-manage upgrade [REVISION]`
fill     writes rows by its own objects
answers  reads [{"path", "headers"}...] from stdin and prints what its API answers
read     prints every row as its own objects give it
"""
import datetime
import json
import logging
import sys
from unittest import mock

logging.disable(logging.CRITICAL)

CONNECTION, COMMAND, *ARGUMENTS = sys.argv[1:]

from oslo_log import log  # noqa: E402

from zun.common import config as zun_config  # noqa: E402
from zun.common import context as zun_context  # noqa: E402
import zun.conf  # noqa: E402
from zun import objects  # noqa: E402

CONF = zun.conf.CONF
UUID = '00000000-0000-4000-8000-%012d'.__mod__
AT = datetime.datetime(2026, 2, 3, 4, 5, 6)


def configure():
    log.register_options(CONF)
    zun_config.init([], default_config_files=[])
    CONF.set_override('connection', CONNECTION, 'database')
    CONF.set_override('auth_encryption_key', 'thirty-two-letters-of-key-------')
    zun_config.set_config_defaults()


def admin():
    return zun_context.get_admin_context(all_projects=True)


def upgrade():
    from zun.db import migration
    migration.upgrade(ARGUMENTS[0] if ARGUMENTS else None)


def person(project):
    return zun_context.RequestContext(user_id='user-' + project, project_id=project, is_admin=False)


def container(context, number, kind='Container', **fields):
    values = dict(uuid=UUID(number), name='container-%d' % number, project_id=context.project_id, user_id=context.user_id,
                  image='busybox', status='Running')
    values.update(fields)
    made = getattr(objects, kind)(context, **values)
    made.create(context)
    return made


FULL = dict(
    container_id='f' * 64, command=['sh', '-c', 'sleep 1; echo \u00e9 "quoted" \\ %s'], environment={'KEY': "it's"}, cpu=0.1,
    cpu_policy='shared', memory='512', disk=20, workdir='/work', ports=[80, 443], hostname='web-1', labels={'tier': 'front'},
    addresses={UUID(900): [{'addr': '10.0.0.2', 'version': 4, 'port': UUID(901), 'subnet_id': UUID(902), 'preserve_on_delete': False}]},
    image_pull_policy='always', host='node-1', restart_policy={'Name': 'on-failure', 'MaximumRetryCount': '3'},
    status_reason='a reason', status_detail='Up 5 seconds', interactive=True, tty=True, image_driver='docker',
    websocket_url='ws://10.0.0.1:2375/v1.26/containers/ffff/attach/ws', websocket_token=UUID(903), security_groups=[UUID(904)],
    auto_remove=False, runtime='runc', auto_heal=True, started_at=AT, privileged=False, healthcheck={'test': 'true', 'interval': 3},
    exposed_ports={'80/tcp': {}}, entrypoint=['/entry'], annotations={'a': 'b'}, cni_metadata={'c': 'd'}, task_state=None,
)


def fill():
    demo, other = person('demo'), person('other')
    for number in (1, 2):
        objects.ComputeNode(admin(), uuid=UUID(100 + number), hostname='node-%d' % number, rp_uuid=UUID(110 + number),
                            mem_total=64000, mem_free=32000, mem_available=32000, mem_used=100, total_containers=3,
                            running_containers=2, paused_containers=0, stopped_containers=1, cpus=8, cpu_used=1.5,
                            architecture='x86_64', os_type='linux', os='Debian', kernel_version='6.1', labels={'dev.type': 'product'},
                            disk_total=100, disk_used=20, disk_quota_supported=number == 1, runtimes=['runc', 'kata'],
                            enable_cpu_pinning=False,
                            numa_topology=objects.NUMATopology._from_dict({'nodes': [
                                {'id': 0, 'cpuset': [0, 1], 'pinned_cpus': [], 'mem_total': 1000, 'mem_available': 500}]})).create(admin())
        service = objects.ZunService(admin(), host='node-%d' % number, binary='zun-compute', availability_zone='nova',
                                     disabled=number == 2, disabled_reason='broken' if number == 2 else None, forced_down=False,
                                     report_count=7, last_seen_up=AT)
        service.create(admin())
    registry = objects.Registry(demo, uuid=UUID(50), project_id='demo', user_id='user-demo', name='private', domain='reg.example',
                                username='me', password='s3cret')
    registry.create(demo)
    objects.Registry(other, uuid=UUID(51), project_id='other', user_id='user-other', domain='open.example').create(other)
    full = container(demo, 1, registry_id=registry.id, **FULL)
    container(demo, 2)
    container(demo, 3, name='Container-2', status='Stopped', command=[], environment={}, labels={}, addresses={}, auto_remove=True)
    container(demo, 4, status='Error', status_reason='There are not enough hosts available.', image_driver='glance')
    container(other, 5, **FULL)
    for number, kind in enumerate(('create', 'start', 'stop'), 1):
        context = person('demo')
        context.request_id = 'req-%s' % UUID(800 + number)
        objects.ContainerAction.action_start(context, full.uuid, kind)
        objects.ContainerActionEvent.event_start(context, full.uuid, 'compute__do_container_%s' % kind)
        if kind != 'stop':
            objects.ContainerActionEvent.event_finish(context, full.uuid, 'compute__do_container_%s' % kind)
            objects.ContainerAction.action_finish(context, full.uuid, kind)
    objects.ExecInstance(demo, container_id=full.id, exec_id='e' * 64, url='ws://x/exec', token=UUID(700)).create(demo)
    for number, bound in ((1, full), (2, full)):
        volume = objects.Volume(demo, uuid=UUID(300 + number), project_id='demo', user_id='user-demo', cinder_volume_id=UUID(310 + number),
                                volume_provider='cinder' if number == 1 else 'local', connection_info='{"a": 1}', host='node-1',
                                auto_remove=number == 1, contents=None if number == 1 else 'hello')
        volume.create(demo)
        objects.VolumeMapping(demo, uuid=UUID(320 + number), project_id='demo', user_id='user-demo', container_uuid=bound.uuid,
                              container_path='/data%d' % number, volume_id=volume.id).create(demo)
    capsule = container(demo, 10, 'Capsule', **{**FULL, 'name': 'capsule', 'registry_id': None})
    for number, kind in ((11, 'CapsuleContainer'), (12, 'CapsuleContainer'), (13, 'CapsuleInitContainer')):
        container(demo, number, kind, capsule_id=capsule.id, **{**FULL, 'status': 'Running' if number != 13 else 'Stopped'})
    for number in (1, 2, 3):
        objects.Image(demo, uuid=UUID(400 + number), project_id='demo' if number < 3 else 'other', user_id='user-demo', repo='repo-%d' % number,
                      tag='latest', image_id='sha256:%d' % number, size='1234', host='node-1').pull(demo)
    objects.ZunNetwork(demo, uuid=UUID(500), project_id='demo', user_id='user-demo', name='net', network_id='d' * 64,
                       neutron_net_id=UUID(501)).create(demo)
    objects.Quota(admin(), project_id='demo', resource='containers', hard_limit=12).create(admin())
    objects.QuotaClass(admin(), class_name='default', resource='cpu', hard_limit=33).create(admin())
    device = objects.PciDevice.create(admin(), dict(
        compute_node_uuid=UUID(101), address='0000:00:01.0', product_id='1', vendor_id='2', numa_node=0, dev_id='pci_0',
        label='label_1', dev_type='PF', status='available', parent_addr=None))
    device.save()


def answers():
    import webob

    from zun.api import app as zun_app
    application = zun_app.setup_app()
    given = []
    # A read of a container asks its node; there is none.
    with mock.patch('zun.compute.api.rpcapi.API'), mock.patch('zun.compute.api.scheduler_client.SchedulerClient'), \
            mock.patch('zun.compute.api.API.container_show', lambda self, context, container: container):
        for asked in json.load(sys.stdin):
            request = webob.Request.blank(asked['path'], headers=asked['headers'], base_url='http://api.example')
            response = request.get_response(application)
            given.append({'status': response.status_int, 'body': json.loads(response.body) if response.body else None})
    json.dump(given, sys.stdout)


def plain(value):
    if hasattr(value, 'obj_to_primitive'):
        return {name: plain(getattr(value, name)) for name in value.fields if value.obj_attr_is_set(name)}
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None).isoformat(' ')
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def read():
    context = admin()
    kinds = ('Container', 'Capsule', 'CapsuleContainer', 'CapsuleInitContainer', 'ComputeNode', 'Registry', 'Image', 'VolumeMapping')
    found = {kind: [plain(item) for item in getattr(objects, kind).list(context)] for kind in kinds}
    found['ZunService'] = [plain(item) for item in objects.ZunService.list(context)]
    found['ContainerAction'] = [plain(action) for item in found['Container']
                                for action in objects.ContainerAction.get_by_container_uuid(context, item['uuid'])]
    found['ContainerActionEvent'] = [plain(event) for item in found['ContainerAction']
                                     for event in objects.ContainerActionEvent.get_by_action(context, item['id'])]
    json.dump(found, sys.stdout)


configure()
{'upgrade': upgrade, 'fill': fill, 'answers': answers, 'read': read}[COMMAND]()
