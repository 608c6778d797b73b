import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { extract } from 'tar-stream';
import type { PathStat } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { goFileMode } from './go-file-mode.ts';
import type { RunAnswer, RunInWorkload } from './run-in-workload.ts';
import type { WorkloadPlace } from './workload-place.ts';

/** Exit codes of the scripts below. */
const missing = 44;
const noFolder = 45;

/** One line of facts, an empty one, then the archive. The path is what follows `sh`, so that nothing in it is the shell's. */
const getScript = `
path=$1
[ -e "$path" ] || [ -L "$path" ] || exit ${missing}
stat -c '%s %f %Y' "$path" || exit 46
if [ -L "$path" ]; then readlink "$path"; else echo; fi
cd "$(dirname "$path")" || exit ${missing}
exec tar -cf - "$2"`;

const putScript = `
[ -e "$1" ] || exit ${missing}
[ -d "$1" ] || exit ${noFolder}
exec tar -xf - -C "$1"`;

/** A path and what is below it as a tar archive, made by the image's own shell and tar. */
export async function getWorkloadArchive(
  run: RunInWorkload,
  place: WorkloadPlace,
  path: string,
  signal?: AbortSignal,
): Promise<{ tar: Buffer; stat: PathStat }> {
  const name = lastPart(path);
  const answer = await run(place, ['sh', '-c', getScript, 'sh', path === '' ? '/' : path, name === '/' ? '.' : name], { signal });
  refuse(answer, place, path);
  const { stdout } = answer;
  const firstEnd = stdout.indexOf(0x0a);
  const secondEnd = stdout.indexOf(0x0a, firstEnd + 1);
  const [size = '0', mode = '0', seconds = '0'] = stdout.subarray(0, firstEnd).toString('utf8').split(' ');
  return {
    tar: stdout.subarray(secondEnd + 1),
    stat: {
      name,
      size: Number(size),
      mode: goFileMode(Number.parseInt(mode, 16)),
      mtime: new Date(Number(seconds) * 1000).toISOString(),
      linkTarget: stdout.subarray(firstEnd + 1, secondEnd).toString('utf8'),
    },
  };
}

/** Unpacks an archive below a folder. An archive that is none is refused before anything is sent. */
export async function putWorkloadArchive(
  run: RunInWorkload,
  place: WorkloadPlace,
  path: string,
  tar: Buffer,
  signal?: AbortSignal,
): Promise<void> {
  await requireTar(tar);
  refuse(await run(place, ['sh', '-c', putScript, 'sh', path], { input: tar, signal }), place, path);
}

function refuse({ exitCode, stderr }: RunAnswer, place: WorkloadPlace, path: string): void {
  if (exitCode === 0) return;
  const words = stderr.toString('utf8').trim();
  if (exitCode === missing) throw new RuntimeFault('not-found', `Could not find the file ${path} in container ${place.name}`);
  if (exitCode === noFolder) throw new RuntimeFault('invalid', `extraction point is not a directory: ${path}`);
  if (exitCode === 126 || exitCode === 127) {
    throw new RuntimeFault('unsupported', `The image of the container has no shell or no tar, which copying files needs: ${words}`);
  }
  throw new RuntimeFault('invalid', words === '' ? `tar ended with exit code ${exitCode}` : words);
}

/** As Docker's stat names it: the last part of the path, `/` for the root. */
function lastPart(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.at(-1) ?? '/';
}

async function requireTar(tar: Buffer): Promise<void> {
  const parser = extract();
  let entries = 0;
  parser.on('entry', (_header, stream, next) => {
    entries += 1;
    stream.on('end', next).resume();
  });
  try {
    await finished(Readable.from([tar]).pipe(parser));
  } catch (error) {
    throw new RuntimeFault('invalid', `This is no tar archive: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (entries === 0 && tar.some((byte) => byte !== 0)) throw new RuntimeFault('invalid', 'This is no tar archive: it is cut off.');
}
