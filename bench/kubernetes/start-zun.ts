import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePorts } from '../../test/system/engine/free-ports.ts';
import { standaloneChild } from '../standalone-child.ts';
import { benchDatabase } from './bench-database.ts';
import { MeasuredProgram } from './measured-program.ts';

/** What is asked, and where those who carry it out tell what they do. */
export interface StartedZun {
  cloudsFile: string;
  metricsUrl: string;
}

/** `standalone` in the data folder, with these settings; it ends with the stack. */
export async function startStandaloneZun(folder: string, settings: object, stack: AsyncDisposableStack): Promise<StartedZun> {
  await writeFile(join(folder, 'zun.yaml'), stringify(settings));
  const child = await standaloneChild({}, folder);
  stack.defer(() => child.stop());
  const { port, hostname } = new URL(child.url);
  return { cloudsFile: child.cloudsFile, metricsUrl: `http://${hostname}:${Number(port) + 3}/metrics` };
}

/** API, worker and agent as programs of their own on one MariaDB, with these settings; they end with the stack. */
export async function startZunPrograms(folder: string, settings: object, stack: AsyncDisposableStack): Promise<StartedZun> {
  const { url } = await benchDatabase(stack);
  const common = { encryptionKey: '0123456789abcdef0123456789abcdef', database: { url }, api: { port: await freePorts(2) } };
  const config = join(folder, 'zun.yaml');
  await writeFile(config, stringify({ containers: { defaultImagePullPolicy: 'ifnotpresent' }, ...common, ...settings }), { mode: 0o600 });
  const environment = { ZUN_CONFIG: config, ZUN_DATA: folder, ZUN_LOG: 'error', ZUN_DATABASE: '' };
  const start = async (name: MeasuredProgram['name']) => {
    const program = await MeasuredProgram.start(name, environment);
    stack.defer(() => program.stop());
    return program;
  };
  const [compute] = await Promise.all([start('zun-compute'), start('zun-api'), start('zun-compute-agent')]);
  return { cloudsFile: join(folder, 'clouds.yaml'), metricsUrl: compute.metricsUrl };
}
