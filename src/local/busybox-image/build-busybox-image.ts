import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { pack } from 'tar-stream';
import type { ContainerImage } from './container-image.ts';

/** What a built image does when it is run without a command. */
export interface BusyboxImageOptions {
  /** Absolute path of a statically linked busybox; default `/bin/busybox`. */
  busybox?: string;
  /** Default `['sh']`. */
  command?: string[];
  /** `80/tcp`. */
  exposedPorts?: string[];
  environment?: Record<string, string>;
  /** Further files by absolute path. */
  files?: Record<string, string>;
}

/**
 * Makes a root filesystem of one busybox and a link for each of its applets, as an image.
 * Throws with a sentence for the user when there is no busybox, or it needs shared libraries.
 */
export async function buildBusyboxImage(options: BusyboxImageOptions = {}): Promise<ContainerImage> {
  const path = options.busybox ?? '/bin/busybox';
  const binary = await readFile(path).catch(() => {
    throw new Error(`There is no ${path}: install busybox-static (apt-get install busybox-static).`);
  });
  if (needsInterpreter(binary)) throw new Error(`${path} needs shared libraries: install busybox-static (apt-get install busybox-static).`);
  const { stdout } = await promisify(execFile)(path, ['--list']);
  const applets = stdout.split('\n').filter((name) => name !== '' && name !== 'busybox');
  const layer = await packRoot(binary, applets, options.files ?? {});
  return { layers: [layer], config: imageConfig(layer, options) };
}

async function packRoot(binary: Buffer, applets: string[], files: Record<string, string>): Promise<Buffer> {
  const tar = pack();
  const mtime = new Date(0);
  for (const [name, mode] of directories) tar.entry({ name, type: 'directory', mode, mtime });
  tar.entry({ name: 'bin/busybox', mode: 0o755, mtime }, binary);
  for (const name of applets) tar.entry({ name: `bin/${name}`, type: 'symlink', linkname: 'busybox', mode: 0o777, mtime });
  const contents = { '/etc/passwd': passwd, '/etc/group': 'root:x:0:\nnogroup:x:65534:\n', ...files };
  const made = new Set(directories.map(([name]) => name));
  for (const [name, text] of Object.entries(contents)) {
    const relative = name.replace(/^\/+/, '');
    const parent = relative.slice(0, relative.lastIndexOf('/') + 1);
    if (parent !== '' && !made.has(parent)) tar.entry({ name: parent, type: 'directory', mode: 0o755, mtime });
    made.add(parent);
    tar.entry({ name: relative, mode: 0o644, mtime }, text);
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const directories: [string, number][] = [
  ['bin/', 0o755],
  ['dev/', 0o755],
  ['etc/', 0o755],
  ['proc/', 0o755],
  ['root/', 0o700],
  ['sys/', 0o755],
  ['tmp/', 0o1777],
  ['var/', 0o755],
];

const passwd = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n';

function imageConfig(layer: Buffer, options: BusyboxImageOptions): Buffer {
  const environment = { PATH: '/bin', ...options.environment };
  const exposed = Object.fromEntries((options.exposedPorts ?? []).map((port) => [port, {}]));
  return Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: {
        Env: Object.entries(environment).map(([key, value]) => `${key}=${value}`),
        Cmd: options.command ?? ['sh'],
        ...(options.exposedPorts ? { ExposedPorts: exposed } : {}),
      },
      rootfs: { type: 'layers', diff_ids: [`sha256:${createHash('sha256').update(layer).digest('hex')}`] },
      history: [{ created: '1970-01-01T00:00:00Z', created_by: 'busybox' }],
    }),
  );
}

/** True when the ELF file has a program header of type PT_INTERP (3), that is, asks for a dynamic linker the image lacks. */
function needsInterpreter(elf: Buffer): boolean {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 2) return false;
  const start = Number(elf.readBigUInt64LE(32));
  const size = elf.readUInt16LE(54);
  const count = elf.readUInt16LE(56);
  return Array.from({ length: count }, (_, index) => elf.readUInt32LE(start + index * size)).includes(3);
}
