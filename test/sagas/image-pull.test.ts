import assert from 'node:assert/strict';
import type { LocalBench } from '../bench/local-bench.ts';
import { sagaContract } from '../bench/saga-contract.ts';

async function imageRow(bench: LocalBench, uuid: string) {
  return bench.database.queries.selectFrom('image').select(['image_id', 'size']).where('uuid', '=', uuid).executeTakeFirst();
}

sagaContract({
  name: 'image.pull',
  kind: 'image.pull',
  async prepare(bench) {
    await bench.database.queries.deleteFrom('image').execute();
    return '';
  },
  async ask(bench) {
    return String((await bench.ask('POST', '/v1/images', { repo: 'busybox', host: 'bench' })).uuid);
  },
  async succeeded(bench, uuid) {
    assert.match(String((await imageRow(bench, uuid))?.image_id), /^sha256:/);
  },
  async failed(bench, uuid) {
    assert.equal(await imageRow(bench, uuid), undefined);
  },
});
