import type { RecordedCall } from './recorded-call.ts';

interface Refusal {
  /** The call, and what of its arguments tells it from others. */
  call: RegExp;
  /** What the client says then. */
  message: RegExp;
}

/** Calls that are recorded with answers that no service gives them, or that fail in the client; each with why. */
const refusals: Refusal[] = [
  // Defects of the client: a time of None goes out as `None`, and the command prints with `print(…) % …`.
  { call: /^containers\.logs .*"since":null/, message: /Invalid input for query parameters 'since'/ },
  { call: /^openstack appcontainer top /, message: /unsupported operand type\(s\) for %/ },
  // Operations that 1.40 does not have any more.
  {
    call: /^(containers\.rename|containers\.(add|remove)_security_group|openstack appcontainer (add|remove) security group) /,
    message: /Not Acceptable/,
  },
  // The exec that it names was never asked for.
  { call: /^containers\.execute_resize /, message: /no such exec instance/ },
  // What the records name is not to be had from a service that starts empty: a free port, an image that nobody has and nobody uses.
  { call: /^(containers\.network_attach .*"port"|openstack appcontainer network attach .*--port)/, message: /is still in use/ },
  { call: /^(images\.create|openstack appcontainer image pull) /, message: /already exists/ },
  { call: /^(images\.delete|openstack appcontainer image delete) /, message: /using its referenced image/ },
  { call: /^openstack appcontainer image search .*--image-driver glance/, message: /cannot be searched with the driver glance/ },
  // The call before has deleted the only one.
  { call: /^openstack appcontainer service delete /, message: /zun-compute on host .* could not be found/ },
  // The default policy lets nobody have privileged containers.
  { call: /^openstack appcontainer (create|run) .*--privileged/, message: /Policy doesn't allow container:create:privileged/ },
  // A template without containers, which the schema refuses in the original too.
  { call: /^capsules\.create .*"kind":"capsule"}}$/, message: /'spec' is a required property/ },
];

/** The words with which the client ends this call here, or null when it is answered. */
export function refusalOf(record: RecordedCall, description: string): RegExp | null {
  if (record.kind === 'sdk-error') return null;
  return refusals.find(({ call }) => call.test(description))?.message ?? null;
}
