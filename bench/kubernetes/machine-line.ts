import { cpus, loadavg, totalmem } from 'node:os';

/** What the figures are of: cores, memory, and how busy the machine is at the moment. */
export function machineLine(): string {
  const load = loadavg().map((value) => value.toFixed(1));
  return `${new Date().toISOString().slice(0, 16)}Z, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, load ${load.join(' ')}`;
}
