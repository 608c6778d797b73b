import { capsuleTemplateCheck } from '../../../src/features/capsules/template-schema.ts';
import { contractSchemas } from '../../../src/programs/contract-file.ts';
import { capsuleContainerSpecs } from '../../../src/rules/capsule-container-spec.ts';
import { capsuleTemplate, type TemplatePart } from '../../../src/rules/capsule-template.ts';
import { capsuleVolumeSpecs } from '../../../src/rules/capsule-volume-spec.ts';
import { ceiledGigabytes } from '../../../src/rules/ceiled-gigabytes.ts';
import { splitCommand } from '../../../src/rules/command-split.ts';
import { decodeFileData, encodeFileData } from '../../../src/rules/file-data.ts';
import { requireImageDriver } from '../../../src/rules/image-driver.ts';
import { imagePullPolicy, shouldPullImage } from '../../../src/rules/image-pull-decision.ts';
import { parseImageReference } from '../../../src/rules/image-reference.ts';
import { imageRepository } from '../../../src/rules/image-repository.ts';
import { isLessThan } from '../../../src/rules/is-less-than.ts';
import { generateContainerName } from '../../../src/rules/name-generator.ts';
import { exposedPorts } from '../../../src/runtime/exposed-ports.ts';
import { checkedRestartPolicy, type RequestedRestartPolicy } from '../../../src/runtime/restart-policy.ts';
import { recordedLimits } from '../recorded-limits.ts';
import { family, type VectorFamily } from './vector-family.ts';

const checkTemplate = capsuleTemplateCheck(contractSchemas(), recordedLimits);

/** Rules of what a container or capsule is asked to be. */
export const workloadFamilies: Record<string, VectorFamily> = {
  build_exposed_ports: family<Record<string, unknown>>(exposedPorts),
  check_for_restart_policy: family<{ restart_policy?: RequestedRestartPolicy | null }>((request) =>
    'restart_policy' in request ? { ...request, restart_policy: checkedRestartPolicy(request.restart_policy) } : request,
  ),
  command_split: family<string>(splitCommand),
  convert_mb_to_ceil_gb: family<number | null>(ceiledGigabytes),
  encode_file_data: family<string>(encodeFileData),
  decode_file_data: family<string>((text) => decodeFileData(text).toString('utf8')),
  validate_image_driver: family<string | null>((driver) => requireImageDriver(driver, recordedLimits.imageDrivers) ?? null),
  image_pull_policy: family<{ policy: string | null }>(({ policy }) => imagePullPolicy(policy)),
  should_pull_image: family<{ policy: string | null; present: boolean }>(({ policy, present }) => shouldPullImage(policy, present)),
  is_less_than: family<[number, number]>(([one, other]) => isLessThan(one, other)),
  name_generator: family<null>((_input, { out }) => generatedNames(out as RecordedNames)),
  docker_reference: family<string>((text) => {
    const { name, tag, digest, domain, path } = parseImageReference(text);
    const kind = digest ? (tag ? 'Reference' : 'CanonicalReference') : tag ? 'TaggedReference' : 'NamedReference';
    const string = `${name}${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;
    return { class: kind, name, tag, digest, string, hostname: [domain, path] };
  }),
  parse_image_name: family<{ image: string; driver: string | null; registry_domain: string | null; default_registry: string | null }>(
    (given) => {
      const names = { driver: given.driver ?? 'docker', registryDomain: given.registry_domain, defaultRegistry: given.default_registry };
      const { repo, tag } = imageRepository(given.image, names);
      return [repo, tag];
    },
  ),
  check_capsule_template: family<unknown>((template) => {
    const read = capsuleTemplate(template, checkTemplate);
    return [read.spec, read.template];
  }),
  capsule_get_container_spec: family<TemplatePart>((spec) => {
    const { containers, initContainers } = capsuleContainerSpecs(spec);
    return [containers, initContainers];
  }),
  capsule_get_volume_spec: family<TemplatePart>(capsuleVolumeSpecs),
};

interface RecordedNames {
  letters: string[];
  number_max: number;
  container_pattern: string;
}

/** The record itself when every name that can be drawn has its pattern; else the names that have not. */
function generatedNames(recorded: RecordedNames): unknown {
  const strangers: string[] = [];
  for (let letter = 0; letter < recorded.letters.length; letter += 1) {
    for (let number = 0; number < recorded.number_max; number += 1) {
      const draws = [letter, number];
      const name = generateContainerName({ uuid: () => '', requestId: () => '', below: () => draws.shift() ?? 0 });
      if (!new RegExp(recorded.container_pattern).test(name)) strangers.push(name);
    }
  }
  return strangers.length === 0 ? recorded : strangers;
}
