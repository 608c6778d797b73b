import fc from 'fast-check';
import type { Insertable } from 'kysely';
import type { Schema } from '../../src/db/schema.generated.ts';

/** A row without what ties it to others: ids, owner and kind. */
type Free<Table extends keyof Schema> = Omit<
  Insertable<Schema[Table]>,
  'id' | 'uuid' | 'project_id' | 'user_id' | 'host' | 'container_type' | 'capsule_id'
>;

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 });
const text = orNull(fc.string({ maxLength: 20 }));
const flag = orNull(fc.constantFrom(0, 1));
/** JSON columns hold text, `null` as text, an empty text or NULL, depending on who wrote them. */
const json = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    value.map((one) => JSON.stringify(one)),
    fc.constantFrom('', null),
  );
const texts = json(fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }));
const map = json(fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.string({ maxLength: 6 }), { maxKeys: 3 }));
const time = orNull(
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2026-02-28'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 19).replace('T', ' ')),
);
const address = fc.record({
  addr: fc.ipV4(),
  version: fc.constant(4),
  port: fc.uuid(),
  subnet_id: fc.uuid(),
  preserve_on_delete: fc.boolean(),
});

export const containerRows: fc.Arbitrary<Free<'container'>> = fc.record({
  name: text,
  image: text,
  command: texts,
  entrypoint: texts,
  security_groups: texts,
  environment: map,
  labels: map,
  ports: json(fc.array(fc.nat(65_535), { maxLength: 3 })),
  addresses: json(fc.dictionary(fc.uuid(), fc.array(address, { maxLength: 2 }), { maxKeys: 2 })),
  restart_policy: json(fc.constantFrom({}, { Name: 'always', MaximumRetryCount: '0' })),
  healthcheck: json(fc.constantFrom({}, { test: 'true', interval: 3 })),
  annotations: map,
  status: orNull(fc.constantFrom('Creating', 'Running', 'Stopped', 'Error', 'Paused', 'Deleting')),
  status_reason: text,
  status_detail: orNull(fc.constantFrom('Up 5 minutes', 'Exited(0) 2 days ago ', 'Created', '')),
  task_state: orNull(fc.constantFrom('container_stopping', 'image_pulling')),
  cpu: orNull(fc.double({ min: 0, max: 16, noNaN: true })),
  memory: orNull(fc.nat(9999).map(String)),
  disk: orNull(fc.nat(100)),
  workdir: text,
  hostname: text,
  image_pull_policy: text,
  image_driver: text,
  runtime: text,
  cpu_policy: text,
  interactive: flag,
  tty: flag,
  auto_remove: flag,
  auto_heal: flag,
  privileged: flag,
  created_at: time,
  updated_at: time,
  started_at: time,
});

export const imageRows: fc.Arbitrary<Free<'image'>> = fc.record({
  image_id: text,
  repo: text,
  tag: text,
  size: text,
  created_at: time,
  updated_at: time,
});

export const registryRows: fc.Arbitrary<Free<'registry'>> = fc.record({
  name: text,
  domain: fc.string({ minLength: 1, maxLength: 10 }),
  username: text,
  password: orNull(fc.constant('a token')),
  created_at: time,
  updated_at: time,
});
