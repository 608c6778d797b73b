import assert from 'node:assert/strict';
import { test } from 'node:test';
import { osloValue, readOsloFile } from './oslo-file.ts';

test('sections, comments, quotes, repeated names and continued lines are read as oslo.config reads them', () => {
  const file = readOsloFile(
    [
      'host = node-1',
      '# connection = no',
      '[database]',
      'connection = mysql+pymysql://zun:p=w@db/zun?charset=utf8',
      'connection=sqlite://',
      '[docker]',
      'name: "quoted = value"',
      'list = one,',
      '  two',
      '',
    ].join('\n'),
  );
  assert.equal(osloValue(file, 'DEFAULT', 'host'), 'node-1');
  assert.deepEqual(file.get('database')?.get('connection'), ['mysql+pymysql://zun:p=w@db/zun?charset=utf8', 'sqlite://']);
  assert.equal(osloValue(file, 'database', 'connection'), 'sqlite://');
  assert.equal(osloValue(file, 'docker', 'name'), 'quoted = value');
  assert.equal(osloValue(file, 'docker', 'list'), 'one,\ntwo');
  assert.equal(osloValue(file, 'docker', 'nothing'), null);
});

test('a line that is nothing is refused with its number', () => {
  assert.throws(() => readOsloFile('[a]\nb = 1\nnonsense'), /line 3 is neither a section nor a setting: nonsense/);
});
