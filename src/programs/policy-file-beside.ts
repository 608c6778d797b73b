import { dirname, join } from 'node:path';
import { programConfigFile } from '../config/program-settings.ts';

/** Overrides of the default rules are beside the configuration file: `/etc/zun/policy.yaml`, as in the original. */
export const policyFileBeside = (configFile: string | null): string => join(dirname(configFile ?? programConfigFile), 'policy.yaml');
