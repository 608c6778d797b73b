import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { imageRepository } from './image-repository.ts';

interface Input {
  image: string;
  driver: string | null;
  registry_domain: string | null;
  default_registry: string | null;
}

test('repository and tag come from the name, the registry asked for, and the default one', () => {
  const pair = ({ image, driver, registry_domain, default_registry }: Input) => {
    const { repo, tag } = imageRepository(image, {
      driver: driver ?? 'docker',
      registryDomain: registry_domain,
      defaultRegistry: default_registry,
    });
    return [repo, tag];
  };
  const refusal = ({ class: name, message }: { class: string; message: string }) => ({ name, message, status: 400 });
  assert.equal(replayVectors('parse_image_name', pair, refusal), 212);
});
