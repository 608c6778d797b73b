import { ZunError } from './zun-error.ts';

/**
 * The errors users meet, one function each. Class names and texts are the original's
 * (`contract/errors.json`); statuses too, but where the original answers 500 for what is the client's
 * mistake, the status here is the 4xx it should have been.
 */

export const containerNotFound = (ident: string) => new ZunError('ContainerNotFound', 404, `Container ${ident} could not be found.`);
/** 400, as the original has it. */
export const imageNotFound = (ident: string) => new ZunError('ImageNotFound', 400, `Image ${ident} could not be found.`);
/** Of an image whose row went when its pull failed; the reason is the registry's. */
export const imagePullFailed = (ident: string, reason: string) =>
  new ZunError('ImageNotFound', 400, `Image ${ident} could not be found. Pulling it failed: ${reason}`);
export const networkNotFound = (ident: string) => new ZunError('NetworkNotFound', 404, `Neutron network ${ident} could not be found.`);
export const portNotFound = (ident: string) => new ZunError('PortNotFound', 404, `Neutron port ${ident} could not be found.`);
export const registryNotFound = (ident: string) => new ZunError('RegistryNotFound', 404, `Registry ${ident} could not be found.`);
export const volumeNotFound = (ident: string) => new ZunError('VolumeNotFound', 404, `Volume ${ident} could not be found.`);
export const computeNodeNotFound = (ident: string) => new ZunError('ComputeNodeNotFound', 404, `Compute node ${ident} could not be found.`);
export const requestedHostNotFound = (host: string) =>
  new ZunError('RequestedHostNotFound', 404, `Requested host ${host} could not be found.`);
export const zunServiceNotFound = (binary: string, host: string) =>
  new ZunError('ZunServiceNotFound', 404, `Zun service ${binary} on host ${host} could not be found.`);
/** `The Action resource req-… could not be found.` */
export const resourceNotFound = (kind: string, ident: string) =>
  new ZunError('ResourceNotFound', 404, `The ${kind} resource ${ident} could not be found.`);

export const conflict = (message: string) => new ZunError('Conflict', 409, message);
export const invalidState = (action: string, uuid: string, status: string) =>
  new ZunError('InvalidStateException', 409, `Cannot ${action} container ${uuid} in ${status} state`);
export const imageAlreadyExists = (repo: string, tag: string) =>
  new ZunError('ImageAlreadyExists', 409, `An image with tag ${tag} and repo ${repo} already exists.`);
export const containerAlreadyExists = (name: string) =>
  new ZunError('ContainerAlreadyExists', 409, `A container with name ${name} already exists.`);
export const networkAlreadyExists = (field: string, value: string) =>
  new ZunError('NetworkAlreadyExists', 409, `A network with ${field} ${value} already exists.`);
export const operationNotSupported = (message: string) => new ZunError('OperationNotSupported', 409, message);

export const invalidValue = (message: string) => new ZunError('InvalidValue', 400, message);
export const invalidParameterValue = (message: string) => new ZunError('InvalidParameterValue', 400, message);
export const schemaValidationError = (detail: string) => new ZunError('SchemaValidationError', 400, detail);
export const invalidParamInVersion = (param: string, requestVersion: string, minimum: string) =>
  new ZunError(
    'InvalidParamInVersion',
    400,
    `Invalid param ${param} because current request version is ${requestVersion}. ${param} is only supported from version ${minimum}`,
  );
export const referenceInvalidFormat = (message: string) => new ZunError('ReferenceInvalidFormat', 400, message);
export const base64Exception = () => new ZunError('Base64Exception', 400, 'Invalid Base 64 file data');
export const volumeInUse = (volume: string) => new ZunError('VolumeInUse', 400, `Volume ${volume} is still in use.`);
export const volumeNotUsable = (volume: string) => new ZunError('VolumeNotUsable', 400, `Volume ${volume} not usable for the container.`);
export const portInUse = (port: string) => new ZunError('PortInUse', 400, `Port ${port} is still in use.`);
export const portBindingFailed = (port: string) =>
  new ZunError('PortBindingFailed', 400, `Binding failed for port ${port}, please check neutron logs for more information.`);
export const portNotUsable = (port: string) => new ZunError('PortNotUsable', 400, `Port ${port} not usable for the container.`);

export const policyNotAuthorized = (rule: string) =>
  new ZunError('PolicyNotAuthorized', 403, `Policy doesn't allow ${rule} to be performed.`);
export const externalNetworkAttachForbidden = (network: string) =>
  new ZunError('ExternalNetworkAttachForbidden', 403, `It is not allowed to create an interface on external network ${network}`);
export const overQuota = (message: string) => new ZunError('OverQuota', 403, message);
/** A dependency could not be asked: 503, never 500. */
export const serviceUnavailable = (message: string) => new ZunError('ServiceUnavailable', 503, message);

export const invalid = (message = 'Unacceptable parameters.') => new ZunError('Invalid', 400, message);
export const noInteractiveFlag = () =>
  new ZunError('NoInteractiveFlag', 400, "Container doesn't support to be attached, please check the interactive set properly");
export const validationError = (detail: string) => new ZunError('ValidationError', 400, detail);
export const nameEmpty = () => new ZunError('NameEmpty', 400, 'repository name must have at least one component');
export const nameTooLong = (maximum: number) =>
  new ZunError('NameTooLong', 400, `repository name must not be more than ${maximum} characters`);
/** Of an image reference; `DigestUnsupported` and `DigestInvalidLength` are no ZunExceptions in the original. */
export const digestUnsupported = () => new ZunError('DigestUnsupported', 400, 'unsupported digest algorithm');
export const digestInvalidLength = () => new ZunError('DigestInvalidLength', 400, 'invalid checksum digest length');

export const noValidHost = (reason: string) => new ZunError('NoValidHost', 500, `No valid host was found. ${reason}`);
export const resourcesUnavailable = (reason: string) =>
  new ZunError('ResourcesUnavailable', 500, `Insufficient compute resources: ${reason}.`);
export const invalidEncryptionKey = () =>
  new ZunError('InvalidEncryptionKey', 500, 'Can not decrypt data with the auth_encryption_key in zun config.');
