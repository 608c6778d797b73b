import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { capsuleTemplateCheck } from '../features/capsules/template-schema.ts';
import { contractSchemas } from '../programs/contract-file.ts';
import { capsuleContainerSpecs } from './capsule-container-spec.ts';
import { capsuleTemplate, type TemplatePart } from './capsule-template.ts';
import { capsuleVolumeSpecs } from './capsule-volume-spec.ts';

const defaults = {
  minimumCpus: 0.1,
  maximumCpus: 16,
  minimumMemory: 4,
  maximumMemory: 8192,
  minimumDisk: 1,
  maximumDisk: 160,
  imageDrivers: ['glance', 'docker'],
};
const checkText = capsuleTemplateCheck(contractSchemas(), defaults);

/** What the original answers with 500 is the client's mistake: 400 with the same words, where it had any. */
const refusal = ({ class: name, message }: { class: string; message: string }) =>
  name === 'InvalidCapsuleTemplate' || name === 'SchemaValidationError' ? { name, message, status: 400 } : { status: 400 };

test('every recorded template is taken or refused as by the original, with 400 for its 500', () => {
  const call = (template: unknown) => {
    const read = capsuleTemplate(template, checkText);
    return [read.spec, read.template];
  };
  assert.equal(replayVectors('check_capsule_template', call, refusal), 14);
});

test('every recorded spec has the original’s containers', () => {
  const call = (spec: TemplatePart) => {
    const { containers, initContainers } = capsuleContainerSpecs(spec);
    return [containers, initContainers];
  };
  assert.equal(replayVectors('capsule_get_container_spec', call, refusal), 10);
});

test('every recorded spec has the original’s volumes', () => {
  assert.equal(replayVectors('capsule_get_volume_spec', capsuleVolumeSpecs, refusal), 12);
});

test('text that is no JSON is a 400 that says where it breaks', () => {
  assert.throws(() => capsuleTemplate('{bad', checkText), {
    name: 'FailedParseStringToJson',
    status: 400,
    message: /^Failed parse string to json: .*JSON.*\.$/,
  });
});

test('a template is not changed by being read', () => {
  const template = { kind: 'capsule', spec: { restartPolicy: 'Always', containers: [{ image: 'a', env: {} }] } };
  const before = structuredClone(template);
  capsuleContainerSpecs(capsuleTemplate(template, checkText).spec);
  assert.deepEqual(template, before);
});
