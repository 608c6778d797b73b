import { isPart, type TemplatePart } from './capsule-template.ts';
import { invalidCapsuleTemplate } from './capsule-template-error.ts';

/** Names in a template → names of a container; names that are in neither stay as they are. */
const containerNames: Record<string, string> = {
  env: 'environment',
  workDir: 'workdir',
  imagePullPolicy: 'image_pull_policy',
  stdin: 'interactive',
};

/**
 * The containers and init containers of a capsule's spec under a container's own names. 400 without a container, or for one without
 * an image. The schema of requests does not look at init containers at all. Origin: zun/common/utils.py, capsule_get_container_spec.
 */
export function capsuleContainerSpecs(spec: TemplatePart): { containers: TemplatePart[]; initContainers: TemplatePart[] } {
  const containers = spec.containers;
  if (!Array.isArray(containers)) throw invalidCapsuleTemplate('No valid containers field');
  if (containers.length === 0) throw invalidCapsuleTemplate('Capsule need to have one container at least');
  const initContainers = spec.initContainers ?? [];
  if (!Array.isArray(initContainers)) throw invalidCapsuleTemplate('initContainers has to be a list');
  return { containers: containers.map(renamed), initContainers: initContainers.map(renamed) };
}

function renamed(container: unknown): TemplatePart {
  if (!isPart(container) || !('image' in container)) throw invalidCapsuleTemplate('Container image is needed');
  return Object.fromEntries(Object.entries(container).map(([name, value]) => [containerNames[name] ?? name, value]));
}
