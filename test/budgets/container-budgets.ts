import { after, type Budget, running } from './budget.ts';

const body = { name: 'web', image: 'busybox', command: ['sleep', '1000'], cpu: 1, memory: '64' };
const placing = ['inventory.candidates', 'inventory.claim', 'networking.defaultNetwork'];
const port = ['networking.bindPort', 'networking.createPort', 'networking.engineNetwork', 'networking.listPorts'];
const pulling = ['images.find', 'images.pull'];
const twoContainers = async (bench: Parameters<typeof running>[0]) => {
  await bench.container('first');
  return bench.container('second');
};
const interactive = (bench: Parameters<typeof running>[0]) => bench.container('web', { interactive: true, tty: true });
const container = '/v1/containers/$';
const route = (action: string, method = 'POST') => `${method} /v1/containers/{container_ident}${action}`;

/** An action that a worker carries out with one call to the runtime, and a look at what came of it. */
const lifecycle = (action: string, call: string, arrange = running): Budget => ({
  route: route(`/${action}`),
  arrange,
  path: `${container}/${action}`,
  answer: [5, 1],
  task: [10, 2, ...['runtime.inspect', `runtime.${call}`].sort()],
});

/** A read of the runtime, asked for by the API itself. */
const read = (action: string, call: string, query = '', method = 'GET'): Budget => ({
  route: route(`/${action}`, method),
  arrange: running,
  path: `${container}/${action}${query}`,
  answer: [1, 0, `runtime.${call}`],
});

/** Containers: architecture's budgets are 1 query for a show, 1 a page for a list, 1 transaction and no call to the runtime for a create. */
export const containerBudgets: Budget[] = [
  {
    route: 'POST /v1/containers',
    path: '/v1/containers',
    request: { json: body },
    answer: [10, 1, ...placing],
    task: [32, 5, ...pulling, ...port, 'runtime.create', 'runtime.inspect'],
  },
  {
    route: 'POST /v1/containers',
    when: 'it is to run',
    path: '/v1/containers?run=true',
    request: { json: body },
    answer: [10, 1, ...placing],
    task: [38, 7, ...pulling, ...port, 'runtime.create', 'runtime.inspect', 'runtime.start'],
  },
  {
    route: 'POST /v1/containers',
    when: 'it has a volume of its own',
    path: '/v1/containers?run=true',
    request: { json: { ...body, mounts: [{ size: '1', destination: '/data' }] } },
    answer: [12, 1, ...placing],
    task: [40, 8, ...pulling, ...port, 'runtime.create', 'runtime.inspect', 'runtime.start', 'volumes.attach', 'volumes.create'],
  },
  { route: route('', 'GET'), arrange: running, path: container, answer: [1, 0] },
  { route: route('', 'GET'), when: 'it is named by its name', arrange: running, path: '/v1/containers/web', answer: [1, 0] },
  { route: 'GET /v1/containers', when: 'there are two', arrange: twoContainers, path: '/v1/containers', answer: [1, 0] },
  { route: 'GET /v1/containers', when: 'after a marker', arrange: twoContainers, path: '/v1/containers?limit=1&marker=$', answer: [2, 0] },
  {
    route: 'GET /v1/containers',
    when: 'of all projects',
    arrange: twoContainers,
    path: '/v1/containers?all_projects=true',
    request: { as: 'admin' },
    answer: [1, 0],
  },
  {
    route: route('', 'PATCH'),
    when: 'its limits change',
    arrange: running,
    path: container,
    request: { json: { memory: '128' } },
    answer: [10, 2, 'inventory.resize', 'runtime.update'],
  },
  {
    route: route('', 'PATCH'),
    when: 'its name changes',
    arrange: running,
    path: container,
    request: { json: { name: 'new' } },
    answer: [2, 1],
  },
  { route: route('/rename'), arrange: running, path: `${container}/rename?name=new`, request: { version: '1.13' }, answer: [2, 1] },
  {
    route: route('/resize_container'),
    arrange: running,
    path: `${container}/resize_container?memory=128`,
    answer: [6, 1],
    task: [14, 2, 'inventory.resize', 'runtime.update'],
  },
  {
    route: route('', 'DELETE'),
    when: 'it is stopped first',
    arrange: running,
    path: `${container}?stop=true`,
    answer: [7, 1],
    task: [18, 2, 'inventory.release', 'networking.deletePort', 'networking.listPorts', 'runtime.remove', 'runtime.stop'],
  },
  {
    route: route('', 'DELETE'),
    when: 'by force',
    arrange: running,
    path: `${container}?force=true`,
    request: { as: 'admin' },
    answer: [6, 1],
    task: [18, 2, 'inventory.release', 'networking.deletePort', 'networking.listPorts', 'runtime.remove'],
  },
  {
    route: route('/rebuild'),
    arrange: running,
    path: `${container}/rebuild`,
    answer: [5, 1],
    task: [
      37,
      8,
      ...pulling,
      'inventory.resize',
      'networking.bindPort',
      'networking.engineNetwork',
      'networking.findPort',
      'networking.listPorts',
      'runtime.create',
      'runtime.inspect ×2',
      'runtime.remove',
      'runtime.start',
    ],
  },
  lifecycle('start', 'start', after('kill')),
  lifecycle('stop', 'stop'),
  lifecycle('reboot', 'restart'),
  lifecycle('pause', 'pause'),
  lifecycle('unpause', 'unpause', after('pause')),
  lifecycle('kill', 'kill'),
  read('logs', 'logs'),
  read('top', 'top'),
  read('stats', 'stats'),
  read('execute', 'exec', '?command=ls&run=true&interactive=false', 'POST'),
  // Promised in the database alone: the proxy asks the runtime when somebody comes.
  {
    route: route('/execute'),
    when: 'for a console',
    arrange: running,
    path: `${container}/execute?command=sh&run=false&interactive=true`,
    answer: [3, 0],
  },
  { route: route('/attach', 'GET'), arrange: interactive, path: `${container}/attach`, answer: [3, 0] },
  { route: route('/resize'), arrange: running, path: `${container}/resize?h=24&w=80`, answer: [2, 0] },
  {
    route: route('/execute_resize'),
    arrange: async (bench) => {
      const uuid = await running(bench);
      const { exec_id: id } = (await bench.ask(`POST /v1/containers/${uuid}/execute?command=sh&run=false`)) as { exec_id: string };
      return `${uuid}/execute_resize?exec_id=${id}`;
    },
    path: `${container}&h=24&w=80`,
    answer: [2, 0],
  },
  read('get_archive', 'getArchive', '?path=/etc/hostname'),
  {
    route: route('/put_archive'),
    arrange: running,
    path: `${container}/put_archive?path=/`,
    request: { json: { data: Buffer.alloc(1024).toString('base64') } },
    answer: [1, 0, 'runtime.putArchive'],
  },
  {
    route: route('/commit'),
    arrange: running,
    path: `${container}/commit?repository=saved&tag=v1`,
    answer: [5, 1],
    task: [9, 1, 'images.find', 'runtime.commit'],
  },
  {
    route: route('/network_attach'),
    arrange: running,
    path: `${container}/network_attach?network=second`,
    answer: [5, 1, 'networking.findNetwork'],
    task: [12, 2, ...port, 'runtime.connectNetwork'],
  },
  {
    route: route('/network_detach'),
    arrange: running,
    path: `${container}/network_detach?network=private`,
    answer: [5, 1, 'networking.findNetwork'],
    task: [13, 2, 'networking.deletePort', 'networking.engineNetwork', 'runtime.disconnectNetwork'],
  },
  { route: route('/network_list', 'GET'), arrange: running, path: `${container}/network_list`, answer: [1, 0] },
  ...['add', 'remove'].map(
    (verb): Budget => ({
      route: route(`/${verb}_security_group`),
      arrange: (bench) => bench.container('web', { security_groups: verb === 'add' ? [] : ['web'] }),
      path: `${container}/${verb}_security_group?name=web`,
      request: { version: '1.14' },
      answer: [5, 1, 'networking.findSecurityGroups'],
      task: [9, 1, 'networking.listPorts', 'networking.setSecurityGroups'],
    }),
  ),
  { route: route('/container_actions', 'GET'), arrange: running, path: `${container}/container_actions`, answer: [2, 0] },
  {
    route: route('/container_actions/{request_ident}', 'GET'),
    async arrange(bench) {
      const uuid = await bench.container();
      const { containerActions } = (await bench.ask(`GET /v1/containers/${uuid}/container_actions`)) as {
        containerActions: { request_id: string }[];
      };
      return `${uuid}/container_actions/${containerActions[0]?.request_id}`;
    },
    path: container,
    answer: [3, 0],
  },
];
