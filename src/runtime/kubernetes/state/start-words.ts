/**
 * What the runtime said of a process that it could not start, without the names of the layers that passed it on. gVisor and Kata have
 * the same layers up to containerd. Pure.
 */
export function startWords(message: string): string {
  return message
    .trim()
    .replace(layers, '')
    .replace(/: unknown$/, '');
}

const layers = new RegExp(
  `^(?:(?:${[
    'rpc error: code = \\w+ desc =',
    'failed to (?:create|start) container(?:d task| task)?(?: "[^"]*")?:',
    'failed to create (?:shim task|containerd task|task for container):',
    'OCI runtime (?:create|start) failed:',
    'runc (?:create|run) failed:',
    'unable to start container process:',
    'starting container:',
    'starting sub-container \\[[^\\]]*\\]:',
  ].join('|')}) ?)+`,
);
