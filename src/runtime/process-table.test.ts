import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPsArguments, processTable } from './process-table.ts';
import { isFault } from './runtime-fault.ts';

const output = [
  'UID          PID    PPID  C STIME TTY          TIME CMD',
  'root           1       0  0 15:28 ?        00:00:02 /sbin/init',
  'root       27392   27372  0 14:12 ?        00:00:00 sh -c  echo   a; sleep 3000',
  '',
].join('\n');

test('the table has the rows of the PIDs, and the last column keeps its words', () => {
  assert.deepEqual(processTable(output, new Set([27392])), {
    Titles: ['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD'],
    Processes: [['root', '27392', '27372', '0', '14:12', '?', '00:00:00', 'sh -c echo a; sleep 3000']],
  });
});

test('output without a PID column is invalid', () => {
  assert.throws(
    () => processTable('CMD\nsleep', new Set()),
    (error) => isFault(error, 'invalid') && /PID field/.test(error.message),
  );
});

test('another column titled PID would show processes of others and is refused', () => {
  for (const args of [['-o', 'ppid=PID'], ['-oppid=PID,pid=X'], ['-o', 'sid = PID']]) {
    assert.throws(
      () => checkPsArguments(args),
      (error) => isFault(error, 'invalid'),
      args.join(' '),
    );
  }
  checkPsArguments(['-o', 'pid=PID,args']);
  checkPsArguments(['aux']);
});
