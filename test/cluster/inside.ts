import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../system/engine/until.ts';
import { type CommandResult, runCommand, runCommandWell } from '../system/run-command.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { type ComponentName, componentOf } from './components.ts';

/** Commands and components inside of one cluster's namespaces. */
export class Inside {
  readonly #facts: ClusterFacts;

  constructor(facts: ClusterFacts) {
    this.#facts = facts;
  }

  /** What to run from outside, with which environment, so that the command runs inside. */
  invocation(command: readonly string[], { network = true } = {}): [file: string, args: string[], env: NodeJS.ProcessEnv] {
    const which = ['--mount', '--pid', ...(network ? ['--net'] : [])];
    const enter = ['--target', String(this.#facts.init), ...which, `--wd=${this.#facts.folder}`, '--'];
    return ['nsenter', [...enter, ...command], this.#environment()];
  }

  /** Runs a command to its end: the cluster's programs come first in its PATH, `kubectl` and `helm` know the cluster. */
  run(command: readonly string[]): Promise<CommandResult> {
    const [file, args, env] = this.invocation(command);
    return runCommand(file, args, { env });
  }

  /** As `run`, but throws with what was printed when it does not end with 0; answers its output. */
  async runWell(...command: string[]): Promise<string> {
    const [file, args, env] = this.invocation(command);
    return (await runCommandWell(file, args, { env })).stdout;
  }

  /** Starts a component beside what runs, without waiting for it. What it prints goes to `log/<name>.log`. */
  async start(name: ComponentName): Promise<void> {
    const { folder } = this.#facts;
    const { command, outside = false } = componentOf(name, this.#facts);
    // The shell ends, and process 1 takes the component in.
    const script = `setsid "$@" </dev/null >>'${folder}/log/${name}.log' 2>&1 & echo $! >'${folder}/pids/${name}'`;
    const [file, args, env] = this.invocation(['sh', '-c', script, 'sh', ...command], { network: !outside });
    await runCommandWell(file, args, { env });
  }

  /** Waits until a component answers. Fails with the end of its log. */
  async answering(name: ComponentName, deadlineMs = 180_000): Promise<void> {
    const { ready } = componentOf(name, this.#facts);
    const ask = async () => {
      if ((await this.run(ready)).exitCode === 0) return true;
      return (await this.runs(name)) ? null : false;
    };
    const answered = await until(`${name} answers`, ask, deadlineMs).catch(() => false);
    if (!answered) throw new Error(`${name} does not answer:\n${await this.log(name)}`);
  }

  /** Sends a signal to a component alone. After one that ends it, waits until it is gone. */
  async signal(name: ComponentName, signal: NodeJS.Signals): Promise<void> {
    const pid = await this.#pid(name);
    await this.runWell('sh', '-c', `kill -s ${signal.slice('SIG'.length)} ${pid}`);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') return;
    await until(`${name} ends`, async () => ((await this.runs(name)) ? null : true));
  }

  /** The end of what a component has printed. */
  async log(name: ComponentName): Promise<string> {
    const text = await readFile(path.join(this.#facts.folder, 'log', `${name}.log`), 'utf8').catch(() => '');
    return text.slice(-4000);
  }

  async #pid(name: ComponentName): Promise<string> {
    return (await readFile(path.join(this.#facts.folder, 'pids', name), 'utf8')).trim();
  }

  /** Whether a component was started and has not ended. */
  async runs(name: ComponentName): Promise<boolean> {
    const pid = await this.#pid(name).catch(() => null);
    return pid !== null && (await this.run(['test', '-d', `/proc/${pid}`])).exitCode === 0;
  }

  #environment(): NodeJS.ProcessEnv {
    const { folder, programs } = this.#facts;
    return {
      ...process.env,
      PATH: `${programs}:${process.env.PATH}`,
      KUBECONFIG: path.join(folder, 'etc/admin.kubeconfig'),
      KUBECACHEDIR: path.join(folder, 'cache/kubectl'),
      HELM_CACHE_HOME: path.join(folder, 'cache/helm'),
      HELM_CONFIG_HOME: path.join(folder, 'cache/helm'),
      HELM_DATA_HOME: path.join(folder, 'cache/helm'),
    };
  }
}
