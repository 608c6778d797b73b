import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryTerminal } from './memory-terminal.ts';
import { ProcessInput } from './process-input.ts';

/** A terminal whose screen is told, and what its process reads with the next `reads`. */
function setUp() {
  const input = new ProcessInput();
  let screen = '';
  const terminal = new MemoryTerminal(input, (bytes) => {
    screen += bytes.toString('latin1');
  });
  const never = new AbortController().signal;
  return {
    terminal,
    type: (keys: string) => terminal.type(Buffer.from(keys, 'latin1'), () => {}),
    reads: async () => (await input.read(never))?.toString('latin1') ?? null,
    screen: () => screen,
  };
}

test('a line is read once it is complete, as it was corrected, and shown as it was typed', async () => {
  const { type, reads, screen } = setUp();
  type('\x7fec\x7f\x7fls\rnext');
  assert.equal(await reads(), 'ls\n');
  assert.equal(screen(), 'ec\b \b\b \bls\r\nnext');
  type('\n');
  assert.equal(await reads(), 'next\n');
});

test('the end sign sends what there is of a line, and is an end where there is nothing', async () => {
  const { type, reads } = setUp();
  type('half\x04\x04after\n');
  assert.deepEqual([await reads(), await reads(), await reads()], ['half', null, 'after\n']);
});

test('a raw terminal changes nothing, and one that does not echo shows nothing', async () => {
  const { terminal, type, reads, screen } = setUp();
  terminal.isRaw = true;
  terminal.echoes = false;
  type('\x04\r\x7f\n\xff');
  assert.equal(await reads(), '\x04\r\x7f\n\xff');
  assert.equal(screen(), '');
  assert.equal(terminal.shown(Buffer.from('a\nb')).toString(), 'a\nb');
});
