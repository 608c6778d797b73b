/** What the contract's rows don't say of an operation. */
export interface OperationNotes {
  summary: string;
  /** The component that answers hold: one, one of several, or by the version each begins with. */
  answer: string | readonly string[] | Readonly<Record<string, string>>;
  /** Query parameters that no schema names. */
  query?: Record<string, 'required' | 'optional'>;
  /** Refusals beside those that follow from the row: 404 of something that the path does not name, 409 of a state, 503 of something outside. */
  refusals?: number[];
  /** The body's schema says what comes in the query: clients send it there. */
  bodyInQuery?: true;
}

const page = { limit: 'optional', marker: 'optional', sort_key: 'optional', sort_dir: 'optional' } as const;
const allProjects = { all_projects: 'optional' } as const;
/** An action that needs a state, and a node that does it. */
const onNode = [409, 503];

const container = '/v1/containers/{container_ident}';
const change = (summary: string, more: Partial<OperationNotes> = {}): OperationNotes => ({
  summary,
  answer: 'Nothing',
  query: allProjects,
  refusals: onNode,
  ...more,
});

/** Every operation, by its route. A test holds the list against `contract/routes.json`, and the answers against the recorded ones. */
export const operationNotes: Record<string, OperationNotes> = {
  'GET /': { summary: 'Which versions of the API there are', answer: 'Versions' },
  'GET /v1/': { summary: 'Where the collections are', answer: 'Version' },

  'GET /v1/containers': {
    summary: 'List containers',
    answer: 'ContainerPage',
    query: {
      ...page,
      ...allProjects,
      name: 'optional',
      image: 'optional',
      project_id: 'optional',
      user_id: 'optional',
      memory: 'optional',
      host: 'optional',
      task_state: 'optional',
      status: 'optional',
      auto_remove: 'optional',
    },
    refusals: [404],
  },
  'POST /v1/containers': { summary: 'Create a container, and with `run=true` start it', answer: 'Container', refusals: [404, 409, 503] },
  [`GET ${container}`]: { summary: 'Show a container', answer: 'Container', query: allProjects, refusals: [409] },
  [`PATCH ${container}`]: change('Rename a container or change its limits', { answer: 'Container', query: {} }),
  [`DELETE ${container}`]: { summary: 'Delete a container', answer: 'Nothing', refusals: onNode },
  [`POST ${container}/start`]: change('Start a container'),
  [`POST ${container}/stop`]: change('Stop a container', { query: {} }),
  [`POST ${container}/reboot`]: change('Restart a container', { query: {} }),
  [`POST ${container}/pause`]: change('Pause a container'),
  [`POST ${container}/unpause`]: change('Let a paused container go on'),
  [`POST ${container}/kill`]: change('Send a signal to a container', { bodyInQuery: true, query: {} }),
  [`POST ${container}/rebuild`]: change('Make a container anew, from its image or another', {
    query: { ...allProjects, image: 'optional', image_driver: 'optional' },
  }),
  [`POST ${container}/rename`]: change('Rename a container', { answer: 'Container', query: {} }),
  [`POST ${container}/resize_container`]: change('Change the limits of a container', { answer: 'Container', query: {} }),
  [`GET ${container}/logs`]: change('The output of a container', { answer: 'Text', query: {} }),
  [`GET ${container}/top`]: change('The processes of a container', { answer: 'Processes', query: {} }),
  [`GET ${container}/stats`]: change('What a container uses at this moment', { answer: 'Stats' }),
  [`POST ${container}/execute`]: change('Run a command in a container', { answer: 'Execution', query: {} }),
  [`POST ${container}/execute_resize`]: change('Set the size of the terminal of a command', { query: {} }),
  [`GET ${container}/attach`]: change('Where the console of a container is', { answer: 'Text' }),
  [`POST ${container}/resize`]: change('Set the size of the terminal of a container', { query: {} }),
  [`GET ${container}/get_archive`]: change('A path of a container as a tar archive', { answer: 'Archive', query: { path: 'required' } }),
  [`POST ${container}/put_archive`]: change('Unpack a tar archive in a container', { query: { path: 'required' } }),
  [`POST ${container}/commit`]: change('Make an image of a container', { answer: 'CommittedImage', query: {} }),
  [`POST ${container}/add_security_group`]: change('Add a security group to a container', { bodyInQuery: true, query: {} }),
  [`POST ${container}/remove_security_group`]: change('Take a security group from a container', { bodyInQuery: true, query: {} }),
  [`POST ${container}/network_attach`]: change('Connect a container to a network', { bodyInQuery: true, query: {} }),
  [`POST ${container}/network_detach`]: change('Take a container off a network', { query: {} }),
  [`GET ${container}/network_list`]: {
    summary: 'The networks of a container',
    answer: { '1.13': 'OldContainerNetworks', '1.18': 'ContainerNetworks' },
    refusals: [409],
  },
  [`GET ${container}/container_actions`]: { summary: 'What was asked of a container', answer: 'Actions', refusals: [409] },
  [`GET ${container}/container_actions/{request_ident}`]: {
    summary: 'One request to a container, and how it went',
    answer: 'Action',
    refusals: [409],
  },

  'GET /v1/capsules': {
    summary: 'List capsules',
    answer: { '1.1': 'OldCapsulePage', '1.32': 'CapsulePage' },
    query: { ...page, ...allProjects },
    refusals: [404],
  },
  'POST /v1/capsules': {
    summary: 'Create a capsule and start it',
    answer: { '1.1': 'OldCapsule', '1.32': 'Capsule' },
    refusals: [404, 409, 503],
  },
  'GET /v1/capsules/{capsule_ident}': {
    summary: 'Show a capsule',
    answer: { '1.1': 'OldCapsule', '1.32': 'Capsule' },
    query: allProjects,
    refusals: [409],
  },
  'DELETE /v1/capsules/{capsule_ident}': { summary: 'Delete a capsule', answer: 'Nothing', query: allProjects, refusals: onNode },

  'GET /v1/images': { summary: 'List images', answer: 'ImagePage', query: page, refusals: [404] },
  'POST /v1/images': { summary: 'Pull an image to a host', answer: 'Image', refusals: [404, 409, 503] },
  'GET /v1/images/{image_id}': { summary: 'Show an image', answer: 'Image', refusals: [409] },
  'DELETE /v1/images/{image_id}': { summary: 'Delete an image', answer: 'Nothing', refusals: onNode },
  'GET /v1/images/{image}/search': { summary: 'Search the registry for images', answer: 'FoundImages', refusals: onNode },

  'POST /v1/networks': { summary: 'Make a network known to the engine', answer: 'Network', refusals: [404, 409, 503] },
  'DELETE /v1/networks/{network_ident}': { summary: 'Delete a network', answer: 'Nothing', refusals: onNode },

  'GET /v1/registries': {
    summary: 'List registries',
    answer: 'RegistryPage',
    query: {
      ...page,
      ...allProjects,
      name: 'optional',
      domain: 'optional',
      username: 'optional',
      project_id: 'optional',
      user_id: 'optional',
    },
    refusals: [404],
  },
  'POST /v1/registries': { summary: 'Add a registry', answer: 'Registry' },
  'GET /v1/registries/{registry_ident}': { summary: 'Show a registry', answer: 'Registry', query: allProjects, refusals: [409] },
  'PATCH /v1/registries/{registry_ident}': { summary: 'Change a registry', answer: 'Registry', refusals: [409] },
  'DELETE /v1/registries/{registry_ident}': { summary: 'Delete a registry', answer: 'Nothing', query: allProjects, refusals: [409] },

  'GET /v1/quotas/{project_id}': {
    summary: 'The limits of a project, with `usages` what it uses too',
    answer: ['Quotas', 'QuotasAndUsage'],
    query: { usages: 'optional' },
  },
  'PUT /v1/quotas/{project_id}': { summary: 'Set the limits of a project', answer: 'Quotas' },
  'DELETE /v1/quotas/{project_id}': { summary: 'Give a project the usual limits again', answer: 'Nothing' },
  'GET /v1/quotas/{project_id}/defaults': { summary: 'The limits of a project that has none of its own', answer: 'Quotas' },
  'GET /v1/quota_classes/{quota_class_name}': { summary: 'The limits of a class', answer: 'Quotas' },
  'PUT /v1/quota_classes/{quota_class_name}': { summary: 'Set the limits of a class', answer: 'Quotas' },

  'GET /v1/hosts': { summary: 'List hosts', answer: 'HostPage', query: page, refusals: [404] },
  'GET /v1/hosts/{host_ident}': { summary: 'Show a host', answer: 'Host' },
  'GET /v1/services': { summary: 'List the services of the nodes', answer: 'Services' },
  'DELETE /v1/services': {
    summary: 'Forget a service',
    answer: 'Nothing',
    query: { host: 'required', binary: 'required' },
    refusals: [404],
  },
  'PUT /v1/services/enable': { summary: 'Let a service get containers', answer: 'ServiceSwitch', refusals: [404] },
  'PUT /v1/services/disable': { summary: 'Keep containers away from a service', answer: 'ServiceSwitch', refusals: [404] },
  'PUT /v1/services/force_down': { summary: 'Say that a service is down, or is not', answer: 'ServiceForcedDown', refusals: [404] },
  'GET /v1/availability_zones': { summary: 'List availability zones', answer: 'AvailabilityZonePage', query: page },
};
