import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteRow } from '../../src/api/operation.ts';
import { contractText } from '../contract/vectors.ts';
import type { Spent } from './budget.ts';
import { BudgetBench, type Cost } from './budget-bench.ts';
import { containerBudgets } from './container-budgets.ts';
import { otherBudgets } from './other-budgets.ts';

const budgets = [...containerBudgets, ...otherBudgets];
const spent = ({ statements, transactions, calls }: Cost): Spent => [statements, transactions, ...calls];

for (const { route, when, arrange, path, request, answer, task } of budgets) {
  const words = ([statements, transactions, ...calls]: Spent) =>
    `${statements} statements, ${transactions} transactions, calls of ${calls.length} kinds`;
  const title = `${route}${when ? `, ${when},` : ''} takes ${words(answer)}${task ? `; its task at most ${words(task)}` : ''}`;
  test(title, async () => {
    const bench = await BudgetBench.open();
    const subject = (await arrange?.(bench)) ?? '';
    const [method] = route.split(' ');
    const asked = await bench.cost(() => bench.ask(`${method} ${path.replace('$', subject)}`, request));
    assert.deepEqual(spent(asked), answer, bench.sql.join('\n'));
    const worked = await bench.cost(async () => assert.equal(await bench.runTask(), task !== undefined, 'a task'));
    // An idle look at the queue is what follows an operation that queued nothing.
    const [statements, transactions, ...calls] = task ?? [1, 0];
    assert.deepEqual(worked.calls, calls);
    assert.ok(worked.statements <= statements, `${worked.statements} statements\n${bench.sql.join('\n')}`);
    assert.ok(worked.transactions <= transactions, `${worked.transactions} transactions\n${bench.sql.join('\n')}`);
  });
}

test('every operation of the contract has its budget', () => {
  const { routes } = JSON.parse(contractText('routes.json')) as { routes: RouteRow[] };
  const named = new Set(budgets.map(({ route }) => route));
  assert.deepEqual(
    [...new Set(routes.map(({ method, path }) => `${method} ${path}`))].filter((route) => !named.has(route)),
    [],
  );
});
