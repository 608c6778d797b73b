import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DemoClient } from '../../../src/programs/demo-client.ts';
import { ClientError, PythonSession } from '../cli/python-session.ts';
import { StandaloneProcess } from '../standalone-process.ts';
import { ClientWorld } from './client-world.ts';
import { comparedRecord, comparedSeen, describeCall, type RecordedCall, recordedCalls } from './recorded-call.ts';
import { RecordingProxy } from './recording-proxy.ts';
import { refusalOf } from './refusal-of.ts';

describe('python-zunclient 5.5.0 sends what was recorded, and understands what it is answered', () => {
  let standalone: StandaloneProcess;
  let api: RecordingProxy;
  let identity: RecordingProxy;
  let session: PythonSession;
  let world: ClientWorld;
  let folder: string;

  before(async () => {
    standalone = await StandaloneProcess.start({ environment: { ZUN_ENGINE: 'memory' } });
    folder = await mkdtemp(path.join(tmpdir(), 'zun-calls-'));
    world = new ClientWorld(await DemoClient.login(standalone.cloudsFile, 'zun-admin'));
    await world.settle();
    api = await RecordingProxy.listen({ target: () => standalone.url, rewriteRequest: (text, request) => world.rewrite(text, request) });
    const identityUrl = `http://127.0.0.1:${standalone.port + 1}`;
    identity = await RecordingProxy.listen({
      target: () => identityUrl,
      rewriteAnswer: (text) => text.replaceAll(standalone.url, api.url),
    });
    const cloudsFile = path.join(folder, 'clouds.yaml');
    await cp(standalone.cloudsFile, cloudsFile);
    await writeFile(cloudsFile, (await readFile(cloudsFile, 'utf8')).replaceAll(identityUrl, identity.url));
    await writeFile(path.join(folder, 'afile'), 'x');
    session = await PythonSession.open(cloudsFile);
  });

  after(async () => {
    await session?.close();
    await api?.close();
    await identity?.close();
    await standalone?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  // Last what takes the only node away: it is back with its next sign of life, a minute later.
  const isLast = ({ call }: RecordedCall) => /services?[. ]delete/.test(call);
  for (const record of recordedCalls.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))))
    test(describeCall(record), () => replay(record));

  async function replay(record: RecordedCall): Promise<void> {
    if (!isLast(record)) await world.prepare(record);
    api.clear();
    api.canned = record.kind === 'sdk-error' ? (record.args as { answer: { status: number; json: unknown } }).answer : null;
    const error = record.kind === 'cli' ? await command(record) : await sdkCall(record);
    api.canned = null;
    const sent = comparedSeen(api.requests, record);
    assert.deepEqual(sent, comparedRecord(record).slice(0, record.error ? sent.length : undefined));
    assert.ok(
      api.statuses.every((status) => status < 500 || record.kind === 'sdk-error'),
      api.statuses.join(),
    );
    const refusal = refusalOf(record, describeCall(record));
    if (record.kind === 'sdk-error') assert.equal(error, record.error?.message);
    else if (refusal) assert.match(error ?? 'no error', refusal);
    else assert.equal(error, null);
  }

  /** The message of the client's error, or null. */
  async function sdkCall(record: RecordedCall): Promise<string | null> {
    const kwargs = record.kind === 'sdk-error' ? { id: 'x' } : (record.args as Record<string, unknown>);
    try {
      await session.call('zun-admin', record.call, [], kwargs, record.api_version);
      return null;
    } catch (error) {
      if (error instanceof ClientError) return error.message;
      throw error;
    }
  }

  async function command(record: RecordedCall): Promise<string | null> {
    const template = record.requests[0]?.json as { template?: unknown } | undefined;
    if (template?.template) await writeFile(path.join(folder, 'cap.yaml'), JSON.stringify(template.template));
    const words = [...record.call.split(' ').slice(1), ...(record.args as string[])].map((word) => word.replace('<dir>', folder));
    const { exitCode, stdout, stderr } = await session.openstack('zun-admin', words, folder);
    // Some commands print an error as if it were their result.
    if (exitCode === 0 && stderr === '' && !/\(HTTP \d+\)/.test(stdout)) return null;
    return stderr || stdout || `it ended with ${exitCode}`;
  }
});
