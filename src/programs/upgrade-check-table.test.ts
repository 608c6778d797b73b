import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upgradeCheckTable } from './upgrade-check-table.ts';

test('the table is the one that oslo_upgradecheck prints', () => {
  const table = upgradeCheckTable(
    [
      { check: 'Numactl Check', result: 2, details: "The program 'numactl' is currently not installed." },
      { check: 'Policy File JSON to YAML Migration', result: 0, details: null },
    ],
    false,
  );
  assert.equal(
    table,
    [
      '+------------------------------------------------------------+',
      '| Upgrade Check Results                                      |',
      '+------------------------------------------------------------+',
      '| Check: Numactl Check                                       |',
      '| Result: Failure                                            |',
      "| Details: The program 'numactl' is currently not installed. |",
      '+------------------------------------------------------------+',
      '| Check: Policy File JSON to YAML Migration                  |',
      '| Result: Success                                            |',
      '| Details: None                                              |',
      '+------------------------------------------------------------+',
    ].join('\n'),
  );
});

test('details are wrapped at 60 columns, further lines two in', () => {
  const details = 'There is no placement-api endpoint in the service catalog, and that is a sentence of some length.';
  const lines = upgradeCheckTable([{ check: 'A', result: 1, details }], false).split('\n');
  assert.deepEqual(
    lines.slice(5, 7).map((line) => line.slice(2, -2).trimEnd()),
    ['Details: There is no placement-api endpoint in the service catalog,', '  and that is a sentence of some length.'],
  );
});

test('as JSON, results are numbers', () => {
  assert.deepEqual(JSON.parse(upgradeCheckTable([{ check: 'A', result: 1, details: null }], true)), {
    name: 'Upgrade Check Results',
    checks: [{ check: 'A', result: 1, details: null }],
  });
});
