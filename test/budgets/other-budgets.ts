import type { Budget } from './budget.ts';
import type { BudgetBench } from './budget-bench.ts';

const admin = (json?: unknown) => ({ as: 'admin' as const, json });
const pull = admin({ repo: 'busybox', host: 'bench' });
const pulled = async (bench: BudgetBench): Promise<string> => {
  const { uuid } = (await bench.ask('POST /v1/images', pull)) as { uuid: string };
  await bench.runTasks();
  return uuid;
};

const network = { neutron_net_id: '11111111-0000-4000-8000-000000000000', name: 'made' };
const networked = async (bench: BudgetBench): Promise<string> => {
  await bench.ask('POST /v1/networks', admin(network));
  return network.neutron_net_id;
};

const registry = { registry: { name: 'team', domain: 'registry.example', username: 'me', password: 'it' } };
const registered = async (bench: BudgetBench): Promise<string> => {
  const answer = (await bench.ask('POST /v1/registries', { json: registry })) as { registry: { uuid: string } };
  return answer.registry.uuid;
};

const service = { host: 'bench', binary: 'zun-compute' };

const capsule = {
  template: JSON.stringify({
    kind: 'capsule',
    capsuleVersion: 'beta',
    metadata: { name: 'two', labels: { app: 'web' } },
    spec: { containers: [{ image: 'busybox', command: ['sleep', '100'] }, { image: 'nginx' }] },
  }),
};
const encapsulated = async (bench: BudgetBench): Promise<string> => {
  const { uuid } = (await bench.ask('POST /v1/capsules', { json: capsule })) as { uuid: string };
  await bench.runTasks();
  return uuid;
};

const limited = async (bench: BudgetBench): Promise<string> => {
  await bench.ask('PUT /v1/quotas/demo-project', admin({ containers: 5 }));
  return '';
};

/** Everything that is no container. */
export const otherBudgets: Budget[] = [
  { route: 'GET /', path: '/', answer: [0, 0] },
  { route: 'GET /v1/', path: '/v1/', answer: [0, 0] },

  { route: 'POST /v1/images', path: '/v1/images', request: pull, answer: [4, 1], task: [5, 1, 'images.pull'] },
  { route: 'GET /v1/images', arrange: pulled, path: '/v1/images', request: admin(), answer: [1, 0] },
  { route: 'GET /v1/images/{image_id}', arrange: pulled, path: '/v1/images/$', request: admin(), answer: [1, 0] },
  { route: 'DELETE /v1/images/{image_id}', arrange: pulled, path: '/v1/images/$', request: admin(), answer: [3, 1, 'images.remove'] },
  { route: 'GET /v1/images/{image}/search', path: '/v1/images/busybox/search', request: admin(), answer: [0, 0, 'images.search'] },

  {
    route: 'POST /v1/networks',
    path: '/v1/networks',
    request: admin(network),
    answer: [2, 1, 'networking.createNetwork', 'networking.engineNetwork'],
  },
  {
    route: 'DELETE /v1/networks/{network_ident}',
    arrange: networked,
    path: '/v1/networks/$',
    request: admin(),
    answer: [2, 0, 'networking.deleteNetwork'],
  },

  { route: 'POST /v1/registries', path: '/v1/registries', request: { json: registry }, answer: [1, 0] },
  { route: 'GET /v1/registries', arrange: registered, path: '/v1/registries', answer: [1, 0] },
  { route: 'GET /v1/registries/{registry_ident}', arrange: registered, path: '/v1/registries/$', answer: [1, 0] },
  {
    route: 'PATCH /v1/registries/{registry_ident}',
    arrange: registered,
    path: '/v1/registries/$',
    request: { json: { registry: { name: 'other' } } },
    answer: [2, 0],
  },
  { route: 'DELETE /v1/registries/{registry_ident}', arrange: registered, path: '/v1/registries/$', answer: [3, 1] },

  { route: 'GET /v1/quotas/{project_id}', path: '/v1/quotas/demo-project', answer: [2, 0] },
  { route: 'GET /v1/quotas/{project_id}', when: 'with usages', path: '/v1/quotas/demo-project?usages=true', answer: [3, 0] },
  { route: 'GET /v1/quotas/{project_id}/defaults', path: '/v1/quotas/demo-project/defaults', answer: [1, 0] },
  { route: 'PUT /v1/quotas/{project_id}', path: '/v1/quotas/demo-project', request: admin({ containers: 5 }), answer: [4, 1] },
  { route: 'DELETE /v1/quotas/{project_id}', arrange: limited, path: '/v1/quotas/demo-project', request: admin(), answer: [2, 1] },
  { route: 'GET /v1/quota_classes/{quota_class_name}', path: '/v1/quota_classes/default', request: admin(), answer: [1, 0] },
  {
    route: 'PUT /v1/quota_classes/{quota_class_name}',
    path: '/v1/quota_classes/default',
    request: admin({ containers: 5 }),
    answer: [3, 1],
  },

  { route: 'GET /v1/services', path: '/v1/services', request: admin(), answer: [1, 0] },
  { route: 'PUT /v1/services/enable', path: '/v1/services/enable', request: admin(service), answer: [1, 0] },
  {
    route: 'PUT /v1/services/disable',
    path: '/v1/services/disable',
    request: admin({ ...service, disabled_reason: 'upkeep' }),
    answer: [1, 0],
  },
  {
    route: 'PUT /v1/services/force_down',
    path: '/v1/services/force_down',
    request: admin({ ...service, forced_down: true }),
    answer: [1, 0],
  },
  { route: 'DELETE /v1/services', path: '/v1/services?binary=zun-compute&host=bench', request: admin(), answer: [1, 0] },
  { route: 'GET /v1/hosts', path: '/v1/hosts', request: admin(), answer: [1, 0] },
  { route: 'GET /v1/hosts/{host_ident}', path: '/v1/hosts/bench', request: admin(), answer: [1, 0] },
  { route: 'GET /v1/availability_zones', path: '/v1/availability_zones', answer: [1, 0] },

  {
    route: 'POST /v1/capsules',
    when: 'it has two containers',
    path: '/v1/capsules',
    request: { json: capsule },
    answer: [14, 1, 'inventory.candidates', 'inventory.claim', 'networking.defaultNetwork'],
    task: [
      50,
      5,
      'images.find ×3',
      'images.load',
      'images.pull ×2',
      'networking.bindPort',
      'networking.createPort',
      'networking.engineNetwork',
      'networking.listPorts',
      'runtime.create ×3',
      'runtime.describeNode',
      'runtime.inspect ×6',
      'runtime.start ×3',
    ],
  },
  { route: 'GET /v1/capsules', arrange: encapsulated, path: '/v1/capsules', answer: [2, 0] },
  { route: 'GET /v1/capsules/{capsule_ident}', arrange: encapsulated, path: '/v1/capsules/$', answer: [2, 0] },
  {
    route: 'DELETE /v1/capsules/{capsule_ident}',
    arrange: encapsulated,
    path: '/v1/capsules/$',
    answer: [7, 1],
    task: [33, 2, 'inventory.release', 'networking.deletePort', 'networking.listPorts', 'runtime.remove ×3', 'runtime.stop ×2'],
  },
];
