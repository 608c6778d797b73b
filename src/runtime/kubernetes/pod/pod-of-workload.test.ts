import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { V1Container, V1PodSpec } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { plainPodSettings } from '../../../../test/kubernetes-fake/plain-settings.ts';
import type { WorkloadSpec } from '../../container-runtime.ts';
import { plainWorkload } from '../../plain-workload.ts';
import { podOfWorkload } from './pod-of-workload.ts';
import type { PodSettings } from './pod-settings.ts';

const golden = (name: string): unknown =>
  parse(readFileSync(path.join(import.meta.dirname, `../../../../test/kubernetes-golden/pods/${name}.yaml`), 'utf8'));

const uuid = '8e1b0b34-6f35-4c14-9a3a-0a6a3d0d5a6c';
const settings: PodSettings = {
  ...plainPodSettings,
  namespace: 'zun-5f0c',
  runtimeClasses: { kata: 'kata-qemu', gvisor: 'gvisor' },
};
const plain = plainWorkload({ uuid, image: 'busybox:1' });
const podOf = (wishes: Partial<WorkloadSpec>, changed: Partial<PodSettings> = {}) =>
  podOfWorkload({ ...plain, ...wishes }, { ...settings, ...changed });
const specOf = (wishes: Partial<WorkloadSpec>, changed: Partial<PodSettings> = {}): V1PodSpec => {
  const { spec } = podOf(wishes, changed);
  assert.ok(spec);
  return spec;
};
const containerOf = (wishes: Partial<WorkloadSpec>): V1Container => {
  const [container] = specOf(wishes).containers;
  assert.ok(container);
  return container;
};
const annotationsOf = (wishes: Partial<WorkloadSpec>, changed: Partial<PodSettings> = {}) =>
  podOf(wishes, changed).metadata?.annotations ?? {};
const policy = (name: WorkloadSpec['restartPolicy']['name'], maximumRetryCount = 0) => ({ restartPolicy: { name, maximumRetryCount } });

test('a plain workload is a plain Pod', () => {
  assert.deepEqual(podOf({}), golden('plain'));
});

test('a workload with everything is a Pod with everything', () => {
  const pod = podOf({
    host: 'node1',
    image: 'registry.example:5000/team/app:1',
    imagePull: { policy: 'always', credentials: { username: 'alice', password: 'secret' } },
    command: ['serve', '--all'],
    entrypoint: ['/bin/app'],
    environment: { GREETING: 'hello', PRICE: '$(GREETING)$5' },
    workdir: '/srv',
    labels: { tier: 'front', 'odd.label/x': 'a=b' },
    hostname: 'web-1',
    tty: true,
    interactive: true,
    restartPolicy: { name: 'on-failure', maximumRetryCount: 3 },
    autoRemove: true,
    cpu: 2,
    memoryMiB: 512,
    diskGiB: 20,
    healthcheck: { command: 'wget -q localhost', intervalSeconds: 5, timeoutSeconds: 2.5, retries: 4 },
    exposedPorts: ['80/tcp', '53/udp'],
    runtime: 'kata',
    mounts: [
      { kind: 'volume', source: 'cinder-1', destination: '/data', readOnly: false },
      { kind: 'content', content: Buffer.from('x'), destination: '/etc/app.conf' },
      { kind: 'volume', source: 'cinder-2', destination: '/media', readOnly: true },
      { kind: 'content', content: Buffer.from('y'), destination: '/etc/app.d/y' },
    ],
    networks: [
      { engineNetwork: 'blue', ipv4: '10.1.0.5', ipv6: 'fd00::5', mac: 'fa:16:3e:00:00:01' },
      { engineNetwork: 'shared/red', ipv4: null, ipv6: null, mac: null },
    ],
  });
  assert.deepEqual(pod, golden('full'));
});

test('what the record gives back, without bytes and passwords, is the same Pod', () => {
  const content = (bytes: string) => ({ kind: 'content' as const, content: Buffer.from(bytes), destination: '/x' });
  const credentials = (password: string) => ({ policy: 'always' as const, credentials: { username: password, password } });
  assert.deepEqual(
    podOf({ imagePull: credentials(''), mounts: [content('')] }),
    podOf({ imagePull: credentials('secret'), mounts: [content('bytes')] }),
  );
});

test('an entrypoint takes the place of command, a command that of args, each for itself', () => {
  const words = ({ command, args }: V1Container) => ({ command, args });
  assert.deepEqual(words(containerOf({ command: ['a'] })), { command: undefined, args: ['a'] });
  assert.deepEqual(words(containerOf({ entrypoint: ['a'] })), { command: ['a'], args: undefined });
  assert.deepEqual(words(containerOf({ entrypoint: [], command: ['a', 'b'] })), { command: ['a', 'b'], args: undefined });
});

test('the kubelet puts no variable in what it is given', () => {
  const container = containerOf({ entrypoint: ['$(A)'], command: ['$$', '$A', 'x$'], environment: { B: '$(A)' } });
  assert.deepEqual([container.command, container.args], [['$$(A)'], ['$$$$', '$$A', 'x$$']]);
  assert.deepEqual(container.env, [{ name: 'B', value: '$$(A)' }]);
});

test('variables may be called as oddly as Kubernetes lets them, and no odder', () => {
  assert.deepEqual(containerOf({ environment: { 'odd name.': '', '1': 'ü' } }).env, [
    { name: '1', value: 'ü' },
    { name: 'odd name.', value: '' },
  ]);
  for (const name of ['', 'a=b', 'ü', 'a\nb']) {
    const message = `Invalid value ${JSON.stringify(name)} for environment: names of variables are printable ASCII characters without '='.`;
    assert.throws(() => podOf({ environment: { [name]: 'x' } }), { name: 'RuntimeFault', kind: 'invalid', message });
  }
});

test('a hostname that Kubernetes cannot give is refused with field, value and rule', () => {
  for (const hostname of ['a', '0-a', 'x'.repeat(63)]) assert.equal(specOf({ hostname }).hostname, hostname);
  for (const hostname of ['Web', 'web.example', 'a_b', '-a', 'a-', 'x'.repeat(64)]) {
    const rule = 'on Kubernetes it is at most 63 lower case letters, digits and inner hyphens';
    const message = `Invalid value '${hostname}' for hostname: ${rule}.`;
    assert.throws(() => podOf({ hostname }), { name: 'RuntimeFault', kind: 'invalid', message });
  }
});

test("the restart policy is the Pod's, and a maximum of on-failure is noted", () => {
  const maximum = (...wishes: Parameters<typeof policy>) => annotationsOf(policy(...wishes))['zun.openstack.org/maximum-retry-count'];
  const policies = (['no', 'always', 'unless-stopped', 'on-failure'] as const).map((name) => specOf(policy(name, 0)).restartPolicy);
  assert.deepEqual(policies, ['Never', 'Always', 'Always', 'OnFailure']);
  assert.deepEqual([maximum('on-failure', 3), maximum('on-failure', 0), maximum('no', 3)], ['3', undefined, undefined]);
});

test('auto-remove is noted', () => {
  const note = (autoRemove: boolean) => annotationsOf({ autoRemove })['zun.openstack.org/auto-remove'];
  assert.deepEqual([note(true), note(false)], ['true', undefined]);
});

test('the image is asked of a registry as the policy says, and never where it is said to be on the node', () => {
  const pulls = (policy: 'always' | 'ifnotpresent' | 'never') => containerOf({ imagePull: { policy, credentials: null } }).imagePullPolicy;
  assert.deepEqual([pulls('always'), pulls('ifnotpresent'), pulls('never')], ['Always', 'IfNotPresent', 'Never']);
  assert.equal(containerOf({ imagePull: null }).imagePullPolicy, 'Never');
});

test('only who logs in names the Secret with the login', () => {
  const names = (credentials: { username: string; password: string } | null) =>
    specOf({ imagePull: { policy: 'always', credentials } }).imagePullSecrets;
  assert.deepEqual(names({ username: '', password: '' }), [{ name: `zun-${uuid}-pull` }]);
  assert.equal(names(null), undefined);
});

test('a runtime is a RuntimeClass by its name here, the default one where none is asked for, and can be asked for as it is shown', () => {
  const seen = (runtime: string | null, defaultRuntimeClass: string | null) => [
    specOf({ runtime }, { defaultRuntimeClass }).runtimeClassName,
    annotationsOf({ runtime }, { defaultRuntimeClass })['zun.openstack.org/runtime'],
  ];
  assert.deepEqual(seen(null, null), [undefined, undefined]);
  assert.deepEqual(seen(null, 'kata-qemu'), ['kata-qemu', 'kata']);
  assert.deepEqual(seen(null, 'other'), ['other', 'other']);
  assert.deepEqual(seen('other', 'other'), ['other', 'other']);
  assert.deepEqual(seen('gvisor', 'kata-qemu'), ['gvisor', 'gvisor']);
});

test('a runtime that nobody offers is refused with those that are', () => {
  const refusal = (message: string) => ({ name: 'RuntimeFault', kind: 'invalid', message });
  const changed = { defaultRuntimeClass: 'other' };
  assert.throws(
    () => podOf({ runtime: 'runq' }, changed),
    refusal("Invalid value 'runq' for runtime: this cluster offers kata, gvisor, other."),
  );
  const none = { runtimeClasses: {}, defaultRuntimeClass: null };
  assert.throws(
    () => podOf({ runtime: 'toString' }, none),
    refusal("Invalid value 'toString' for runtime: this cluster offers none by name."),
  );
});

test("a privileged workload is privileged; any other has the runtime's seccomp profile and Docker's capabilities", () => {
  assert.deepEqual(containerOf({ privileged: true }).securityContext, { privileged: true });
  assert.deepEqual(containerOf({}).securityContext, { privileged: false, seccompProfile: { type: 'RuntimeDefault' } });
});

test('without a host the scheduler chooses', () => {
  assert.equal(specOf({ host: null }).affinity, undefined);
});

test("on the cluster's own network, whatever address was asked for, there is nothing to say; others come beside it", () => {
  const first = { engineNetwork: 'cluster', ipv4: '10.0.0.1', ipv6: null, mac: 'fa:16:3e:00:00:02' };
  const names = (networks: WorkloadSpec['networks']) => Object.keys(annotationsOf({ networks })).filter((name) => name.includes('cni'));
  assert.deepEqual(names([first]), []);
  const second = { engineNetwork: 'blue', ipv4: null, ipv6: 'fd00::5', mac: null };
  assert.deepEqual(names([first, second]), ['k8s.v1.cni.cncf.io/networks']);
  assert.deepEqual(JSON.parse(annotationsOf({ networks: [first, second] })['k8s.v1.cni.cncf.io/networks'] ?? ''), [
    { name: 'blue', namespace: 'zun-5f0c', interface: 'eth1', ips: ['fd00::5'] },
  ]);
  // It can be nothing but eth0.
  assert.deepEqual(annotationsOf({ networks: [second, first] }), annotationsOf({ networks: [first, second] }));
});
