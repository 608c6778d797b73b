import type { PodmanPaths } from './podman-paths.ts';
import type { ProcessLimits } from './process-limits.ts';

/** What the machine allows and has. */
export interface PodmanMachine {
  limits: ProcessLimits;
  /** Absolute path of runc, or `null`: then Podman takes what it finds. */
  runc: string | null;
  hasNetavark: boolean;
}

/** What Podman gives a container where nothing stops it. */
const usualLimit = 1_048_576;

/**
 * The text of containers.conf. Cgroups without systemd; runc, because crun refuses machines that mount cgroup v1 and v2 together;
 * ulimits within the hard limits, because root may not raise them everywhere; locks in files, because those in shared memory
 * belong to all Podmans of the machine. Two processes watch each exec until its result may be forgotten: ten seconds after its end
 * instead of five minutes, since the result is asked for at once.
 */
export function containersConf(paths: PodmanPaths, machine: PodmanMachine): string {
  const openFiles = Math.min(machine.limits.openFiles ?? usualLimit, usualLimit);
  const processes = Math.min(machine.limits.processes ?? usualLimit, usualLimit);
  return [
    '[containers]',
    `default_ulimits = ["nofile=${openFiles}:${openFiles}", "nproc=${processes}:${processes}"]`,
    'log_driver = "k8s-file"',
    '[engine]',
    'cgroup_manager = "cgroupfs"',
    'events_logger = "file"',
    'lock_type = "file"',
    'exit_command_delay = 10',
    `tmp_dir = ${quoted(paths.tmpDir)}`,
    ...(machine.runc === null ? [] : ['runtime = "runc"', '[engine.runtimes]', `runc = [${quoted(machine.runc)}]`]),
    '[network]',
    ...(machine.hasNetavark ? ['network_backend = "netavark"'] : []),
    `network_config_dir = ${quoted(paths.networks)}`,
    '',
  ].join('\n');
}

/** The text of storage.conf. */
export function storageConf(paths: PodmanPaths, driver: 'overlay' | 'vfs'): string {
  return ['[storage]', `driver = "${driver}"`, `graphroot = ${quoted(paths.graphRoot)}`, `runroot = ${quoted(paths.runRoot)}`, ''].join(
    '\n',
  );
}

/** The text of registries.conf: registries on this machine may speak plain HTTP, as Docker has it. */
export function registriesConf(): string {
  const local = ['127.0.0.1', 'localhost', '[::1]'].flatMap((location) => ['[[registry]]', `location = "${location}"`, 'insecure = true']);
  return ['unqualified-search-registries = ["docker.io"]', ...local, ''].join('\n');
}

/** The text of policy.json: any image is taken, signed or not. */
export function signaturePolicy(): string {
  return JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] });
}

/** TOML's basic string is JSON's. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
