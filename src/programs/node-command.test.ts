import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { nodeCommand } from './node-command.ts';

/** Runs the command where no containerd is. */
async function zunNode(args: string[], input = ''): Promise<{ code: number; out: string; error: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await nodeCommand(['--socket', '/no/containerd.sock', ...args], { stdin: Readable.from([input]), stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), error: await text(stderr) };
}

test('what is misspelt is answered with how it is called, and 2', async () => {
  for (const args of [[], ['freeze'], ['toString'], ['pause', '{}', 'more'], ['--sockets', 'x', 'pause']]) {
    const { code, out, error } = await zunNode(args);
    assert.deepEqual([code, out], [2, '']);
    assert.match(error, /^usage: zun node .*OPERATION.*pause, resume/s);
  }
});

test('what is wrong with an argument is told as a fault, with 1', async () => {
  for (const [args, words] of [
    [['pause', '{'], /argument is no JSON/],
    [['pause', '[]'], /JSON object/],
    [['pause'], /containerId: nothing is not a text/],
    [['kill', '{"containerId":"c","signal":9}'], /signal: 9 is not a text/],
    [['stop', '{"containerId":"c","graceSeconds":-1}'], /graceSeconds: -1 is not a whole number/],
    [['push', '{"image":"i","credentials":{"username":"u"}}'], /password: nothing is not a text/],
  ] as const) {
    const { code, out, error } = await zunNode([...args]);
    assert.deepEqual([code, out], [1, '']);
    const { kind, message } = JSON.parse(error);
    assert.equal(kind, 'invalid');
    assert.match(message, words);
  }
});

test('the argument may come by standard input, where a password belongs', async () => {
  const { code, error } = await zunNode(['push', '-'], '{"image":"i","credentials":{"username":"u","password":""}}');
  assert.equal(code, 1);
  assert.match(JSON.parse(error).message, /^password: "" is not a text/);
});

test('a node without the socket says so', async () => {
  const { code, error } = await zunNode(['listImages']);
  assert.equal(code, 1);
  assert.equal(JSON.parse(error).kind, 'unsupported');
});
