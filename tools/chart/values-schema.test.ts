import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { settingsTable } from '../../src/config/settings-table.ts';
import { valuesSchema } from './values-schema.ts';

const chart = new URL('../../deploy/helm/zun/', import.meta.url);

test("the chart's schema is what the tables say (else run tools/generate-config-files.ts)", () => {
  assert.equal(readFileSync(new URL('values.schema.json', chart), 'utf8'), valuesSchema());
});

test('every value of the chart has a default, and nothing else is in values.yaml', () => {
  const keysOfSchema = (schema: Node): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      name === 'config' || !member.properties ? [name] : keysOfSchema(member).map((key) => `${name}.${key}`),
    );
  const isClosed = (path: string[]) => path.reduce<Node | undefined>((node, name) => node?.properties?.[name], schema)?.properties;
  const keysOfValues = (values: object, path: string[] = []): string[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const at = [...path, name];
      return name !== 'config' && isClosed(at) ? keysOfValues(value, at) : [at.join('.')];
    });
  const schema: Node = JSON.parse(valuesSchema());
  const values = parse(readFileSync(new URL('values.yaml', chart), 'utf8'));
  assert.deepEqual(
    keysOfValues(values).sort(),
    keysOfSchema(schema)
      .filter((key) => key !== 'global')
      .sort(),
  );
});

test('a setting of zun.yaml has its place in config, with its rule; secrets and what the chart knows have none', () => {
  const { config } = JSON.parse(valuesSchema()).properties;
  assert.deepEqual(config.properties.quotas.properties.containers.type, 'integer');
  assert.deepEqual(config.properties.allocationRatios.properties.cpu.exclusiveMinimum, 0);
  assert.deepEqual(config.properties.kubernetes.properties.storageClass.type, ['string', 'null']);
  assert.equal(config.properties.kubernetes.additionalProperties, false);
  const secret = settingsTable.filter((row) => row.secret).map(({ key }) => key.split('.')[0] ?? '');
  for (const name of [...secret, 'host', 'runtime', 'admin']) assert.equal(config.properties[name], undefined, name);
});

interface Node {
  properties?: Record<string, Node>;
}
