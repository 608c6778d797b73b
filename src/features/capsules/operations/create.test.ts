import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapsuleBench, nothing, templateOf } from '../../../../test/bench/capsule-bench.ts';
import { refusalOf } from '../../../../test/bench/container-bench.ts';

const asked = {
  kind: 'capsule',
  capsuleVersion: 'beta',
  metadata: { name: 'cap1', labels: { a: 'b' }, annotations: { n: 'v' } },
  spec: {
    restartPolicy: 'Always',
    containers: [
      {
        image: 'nginx',
        command: ['/bin/sh'],
        args: ['-c', 'sleep'],
        resources: { requests: { cpu: 1, memory: 512 } },
        ports: [{ name: 'http', containerPort: 80, hostPort: 8080, protocol: 'TCP' }],
        env: { A: 'b' },
        workDir: '/w',
        imagePullPolicy: 'IfNotPresent',
        stdin: true,
        tty: true,
      },
      { image: 'busybox', resources: { requests: { cpu: 0.5, memory: 256 } } },
    ],
  },
};
const always = { MaximumRetryCount: '0', Name: 'always' };
const tenTries = { MaximumRetryCount: '10', Name: 'on-failure' };

test('a template becomes a capsule and its containers, with nulls in the answer where later reads have empty values', async () => {
  const capsules = await CapsuleBench.open();
  const answer = await capsules.post(asked);
  assert.equal(answer.status, 202);
  const { containers, init_containers, ...capsule } = answer.json as Awaited<ReturnType<typeof capsules.show>>;
  const { uuid } = capsule;
  assert.equal(answer.headers.location, `http://localhost:80/v1/capsules/${uuid}`);
  assert.deepEqual(capsule, {
    uuid,
    links: [
      { href: `http://localhost:80/v1/capsules/${uuid}`, rel: 'self' },
      { href: `http://localhost:80/capsules/${uuid}`, rel: 'bookmark' },
    ],
    name: 'cap1',
    project_id: 'demo-project',
    user_id: 'demo-user',
    cpu: 1.5,
    memory: '768',
    status: 'Creating',
    status_reason: null,
    labels: { a: 'b' },
    addresses: null,
    restart_policy: always,
    annotations: { n: 'v' },
    created_at: '2026-03-01 12:00:00',
    updated_at: null,
  });
  assert.deepEqual(init_containers, []);
  const [first, second] = containers;
  assert.match(String(first?.name), /^capsule-cap1-[a-z]+-\d+$/);
  assert.deepEqual(
    [first?.image, first?.cpu, first?.memory, first?.command, first?.environment, first?.workdir, first?.interactive, first?.tty],
    ['nginx', 1, '512', ['/bin/sh', '-c', 'sleep'], { A: 'b' }, '/w', true, true],
  );
  assert.deepEqual(
    [second?.command, second?.environment, second?.ports, second?.addresses, second?.labels, second?.security_groups, second?.healthcheck],
    [[], {}, [], {}, {}, [], {}],
  );
  assert.deepEqual([first?.restart_policy, first?.links, first?.image_pull_policy, first?.host], [always, undefined, undefined, undefined]);
});

test('before 1.32 a capsule has its old names, in create, show and list', async () => {
  const capsules = await CapsuleBench.open();
  const options = { version: '1.31' };
  const created = await capsules.ask(asked, options);
  const listed = await capsules.bench.request('GET', '/v1/capsules', options);
  for (const old of [created, await capsules.show(created.uuid, options), (listed.json as { capsules: (typeof created)[] }).capsules[0]]) {
    assert.deepEqual(
      [
        old?.meta_name,
        old?.meta_labels,
        old?.restart_policy,
        old?.capsule_version,
        old?.volumes_info,
        old?.containers_uuids,
        old?.init_containers_uuids,
      ],
      ['cap1', { a: 'b' }, 'always', '', {}, [], []],
    );
    assert.ok(!('name' in (old ?? {})) && !('labels' in (old ?? {})));
  }
});

test('a template without a name, labels and resources is enough', async () => {
  const capsules = await CapsuleBench.open();
  const created = await capsules.ask({
    kind: 'Capsule',
    metadata: {},
    restartPolicy: 'Never',
    spec: { containers: [{ image: 'busybox' }] },
  });
  assert.deepEqual(
    [created.name, created.labels, created.annotations, created.cpu, created.memory, created.restart_policy],
    [null, null, null, 0, '0', always],
  );
  assert.deepEqual([created.containers[0]?.cpu, created.containers[0]?.memory], [null, null]);
  assert.match(String(created.containers[0]?.name), new RegExp(`^capsule-${created.uuid}-[a-z]+-\\d+$`));
  assert.deepEqual((await capsules.show(created.uuid, { as: 'demo' })).labels, {});
});

test('with init containers the larger of their wishes counts, and always becomes ten tries for all', async () => {
  const capsules = await CapsuleBench.open();
  const requests = (cpu: number, memory: number) => ({ resources: { requests: { cpu, memory } } });
  const created = await capsules.ask(
    templateOf({
      containers: [
        { image: 'busybox', ...requests(0.1, 100) },
        { image: 'busybox', ...requests(0.2, 100) },
      ],
      initContainers: [{ image: 'busybox', ...requests(3, 50), bogus: 1 }],
    }),
  );
  assert.deepEqual([created.cpu, created.memory, created.restart_policy], [3, '200', always]);
  assert.deepEqual([created.init_containers[0]?.restart_policy, created.containers[0]?.restart_policy], [tenTries, tenTries]);
  assert.deepEqual(capsules.bench.scheduler.claims.get(created.uuid), { vcpu: 3, memoryMb: 200, diskGb: 0, host: null });
});

test('cores are added without the errors of binary fractions', async () => {
  const capsules = await CapsuleBench.open();
  const one = { image: 'busybox', resources: { requests: { cpu: 0.2, memory: 64 } } };
  assert.equal((await capsules.ask(templateOf({ containers: [one, one, one] }))).cpu, 0.6);
});

test('cpu and memory as text are numbers, where the original fails', async () => {
  const capsules = await CapsuleBench.open();
  const created = await capsules.ask(
    templateOf({ containers: [{ image: 'busybox', resources: { requests: { cpu: '1.5', memory: '512' } } }] }),
  );
  assert.deepEqual([created.cpu, created.memory, created.containers[0]?.cpu, created.containers[0]?.memory], [1.5, '512', 1.5, '512']);
});

test('a template may come as JSON text, and is then held to the same schema', async () => {
  const capsules = await CapsuleBench.open();
  assert.equal((await capsules.ask(JSON.stringify(asked))).name, 'cap1');
  const text = JSON.stringify({ kind: 'capsule', metadata: {}, spec: {} });
  assert.match(refusalOf(await capsules.post(text), 400, 'container.schema-validation-error'), /^Invalid input for field 'spec'/);
  refusalOf(await capsules.post('{bad'), 400, 'container.failed-parse-string-to-json');
  refusalOf(await capsules.post('"capsule"'), 400, 'container.invalid-capsule-template');
});

const refused: [string, unknown, string, RegExp][] = [
  ['no containers', templateOf({ containers: [] }), 'invalid-capsule-template', /^Capsule need to have one container at least$/],
  ['a volume of no kind', templateOf({ volumes: [{ name: 'vol1', cinder: {} }] }), 'invalid-capsule-template', /Cinder volume driver$/],
  [
    'a volume nobody mounts',
    templateOf({ volumes: [{ name: 'vol1', cinder: { size: 3 } }] }),
    'invalid',
    /^volume mount parameters is invalid\.$/,
  ],
  ['networks', { ...templateOf(), nets: [{ network: 'private' }] }, 'schema-validation-error', /'nets' was unexpected/],
  ['an init container without an image', templateOf({ initContainers: [{}] }), 'invalid-capsule-template', /^Container image is needed$/],
  ['an init container that is none', templateOf({ initContainers: [7] }), 'invalid-capsule-template', /^Container image is needed$/],
  ['init containers that are no list', templateOf({ initContainers: 'x' }), 'invalid-capsule-template', /list$/],
  [
    'an init command that is no list',
    templateOf({ initContainers: [{ image: 'busybox', command: 'x' }] }),
    'invalid-capsule-template',
    /command/,
  ],
  ['a null in a command', templateOf({ containers: [{ image: 'busybox', command: [null] }] }), 'invalid-capsule-template', /command/],
  ['a label that is an object', templateOf({}, { metadata: { labels: { a: {} } } }), 'invalid-capsule-template', /label a/],
  ['a number as template', 5, 'schema-validation-error', /5/],
];
for (const [what, template, code, message] of refused) {
  test(`${what}: a 400 in words, and nothing is kept`, async () => {
    const capsules = await CapsuleBench.open();
    assert.match(refusalOf(await capsules.post(template), 400, `container.${code}`), message);
    assert.deepEqual(await capsules.holdings(), nothing);
  });
}

test('a volume that does not exist is a 404, and nothing is kept', async () => {
  const capsules = await CapsuleBench.open();
  const volumeID = 'e0000000-0000-4000-8000-0000000000ff';
  const template = templateOf({
    containers: [{ image: 'busybox', volumeMounts: [{ name: 'va', mountPath: '/d' }] }],
    volumes: [{ name: 'va', cinder: { volumeID } }],
  });
  assert.equal(refusalOf(await capsules.post(template), 404, 'container.volume-not-found'), `Volume ${volumeID} could not be found.`);
  assert.deepEqual(await capsules.holdings(), nothing);
});

test('no room is not a refusal: the capsule says Error, its containers wait, and a delete takes them at once', async () => {
  const capsules = await CapsuleBench.open();
  capsules.bench.scheduler.vcpus = 0;
  const created = await capsules.ask(templateOf());
  assert.deepEqual([created.status, created.status_reason], ['Error', 'There are not enough hosts available.']);
  assert.equal(created.containers[0]?.status, 'Creating');
  assert.equal((await capsules.bench.request('DELETE', `/v1/capsules/${created.uuid}`)).status, 204);
  assert.deepEqual(await capsules.holdings(), nothing);
});

test('a capsule counts in the quota, with all that its containers want', async () => {
  const capsules = await CapsuleBench.open();
  capsules.bench.services.settings.quotaDefaults.cpu = 2;
  const one = { image: 'busybox', resources: { requests: { cpu: 1.5, memory: 64 } } };
  await capsules.ask(templateOf({ containers: [one] }));
  assert.match(refusalOf(await capsules.post(templateOf({ containers: [one] })), 403, 'container.over-quota'), /resources: \['cpu'\]/);
  assert.equal((await capsules.holdings()).claims, 1);
});

test('only who may choose a pull policy gets the one of the template', async () => {
  const capsules = await CapsuleBench.open();
  const policies = async (as: 'demo' | 'admin') => {
    const { uuid } = await capsules.ask(asked, { as });
    return (await capsules.show(uuid)).containers.map((container) => container.image_pull_policy);
  };
  assert.deepEqual(await policies('demo'), ['always', 'always']);
  assert.deepEqual(await policies('admin'), ['ifnotpresent', 'always']);
});
