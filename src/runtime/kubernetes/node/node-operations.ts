import type { Ids } from '../../../telemetry/ids.ts';
import { isFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import { exportImage } from './export-image.ts';
import { commitContainer, keepContainer, listImages } from './image-operations.ts';
import { removeImage } from './image-records.ts';
import type { OperationArguments } from './operation-arguments.ts';
import { inspectContainer, killContainer, pauseContainer, resumeContainer, stopContainer } from './task-operations.ts';

/** What an operation answers: a value for one line of JSON, or the bytes of a tar. */
export type OperationAnswer = { value: unknown } | { bytes: AsyncIterable<Buffer> };

type Operation = (asked: OperationArguments, client: ContainerdClient, ids: Ids) => Promise<OperationAnswer>;

/** What a worker asks of a node, by the command's name for it; the members of `NodeAccess` say what each does. */
export const nodeOperations: Record<string, Operation> = {
  inspect: async (asked, client) => {
    try {
      return { value: await inspectContainer(client, asked.text('containerId')) };
    } catch (error) {
      if (isFault(error, 'not-found')) return { value: null };
      throw error;
    }
  },
  pause: (asked, client) => done(pauseContainer(client, asked.text('containerId'))),
  resume: (asked, client) => done(resumeContainer(client, asked.text('containerId'))),
  kill: (asked, client) => done(killContainer(client, asked.text('containerId'), asked.text('signal'))),
  stop: (asked, client) => done(stopContainer(client, asked.text('containerId'), asked.count('graceSeconds'))),
  keep: async (asked, client, ids) => {
    const [containerId, image, baseImage] = [asked.text('containerId'), asked.text('image'), asked.text('baseImage')];
    return { value: await keepContainer(client, ids, { containerId, image, baseImage }) };
  },
  commit: async (asked, client, ids) => {
    const [containerId, baseImage] = [asked.text('containerId'), asked.text('baseImage')];
    const [repository, tag] = [asked.text('repository'), asked.text('tag')];
    return { value: await commitContainer(client, ids, { containerId, baseImage, repository, tag }) };
  },
  push: async (asked, client) => {
    // With its HTTP client, which would be most of what a pause loads.
    const { pushImage } = await import('./push-image.ts');
    const credentials = asked.optional('credentials', (read) => ({ username: read.text('username'), password: read.text('password') }));
    return { value: await pushImage(client, { image: asked.text('image'), credentials }) };
  },
  export: async (asked, client) => ({ bytes: await exportImage(client, asked.text('image')) }),
  removeImage: (asked, client) => done(removeImage(client, asked.text('image'))),
  listImages: async (_asked, client) => ({ value: await listImages(client) }),
};

async function done(work: Promise<void>): Promise<OperationAnswer> {
  await work;
  return { value: null };
}
