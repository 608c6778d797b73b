import { defaultPolicies } from '../../src/policy/default-policies.ts';
import type { PolicyRules } from '../../src/policy/policy-enforcer.ts';
import { contractText } from '../contract/vectors.ts';
import { errorText } from './compare-answer.ts';
import type { RecordedExchange } from './record.ts';
import type { Variant } from './replay-core.ts';

/** Whether a request made the original load its rules: a check of networks does, for the rest of the test. */
export const makesRulesLoad = ({ compute }: RecordedExchange): boolean =>
  compute.some(({ method }) => /_create|network_attach/.test(method));

/** What an exchange's test had configured, and made of the policy. */
export function exchangeVariant(exchange: RecordedExchange, rulesAreLoaded: boolean): Variant {
  const { policy, config, conditions } = exchange;
  const zone = config.find(({ name }) => name === 'default_availability_zone')?.value;
  const paste = config.find(({ name }) => name === 'api_paste_config')?.value ?? '';
  const servicesAreUp = conditions.includes('service_is_up_mocked');
  const rules = policy.rules ?? mockedRules(exchange, rulesAreLoaded);
  return {
    key: JSON.stringify([rules, zone, paste, servicesAreUp]),
    rules,
    overrides: {},
    settings: ({ scheduler, api }) => {
      if (servicesAreUp) scheduler.serviceDownTimeSeconds = Number.MAX_SAFE_INTEGER;
      if (zone) scheduler.defaultAvailabilityZone = zone;
      api.publicPaths = publicPaths[paste] ?? api.publicPaths;
    },
  };
}

/** What the paste files of the original's tests leave open. */
const publicPaths: Record<string, string[]> = { 'auth-paste.ini': [], 'auth-root-access.ini': ['/'], 'auth-v1-access.ini': ['/v1'] };

/**
 * `policy.enforce` mocked: every rule passes but those asked through `context.can`, of fields. These pass too as long as nothing has
 * made the original load its rules, which a check of networks does. Where a mock said no, the contract decides: on events, and on
 * external networks, of which only the answer tells what the mock said.
 */
function mockedRules({ policy, response }: RecordedExchange, rulesAreLoaded: boolean): PolicyRules | null {
  const { enforce_mocked, can_mocked, checked } = policy;
  const deniesExternal = errorText(response.json)?.startsWith('container.external-network-attach-forbidden') ?? false;
  if (!enforce_mocked && !can_mocked) return null;
  const decided = new Set(['context_is_admin']);
  if (deniesExternal) decided.add(externalRule);
  if (checked.some(({ rule, returns }) => rule === eventsRule && returns === false)) decided.add(eventsRule);
  const passes = (rule: string) => {
    if (rule === externalRule) return can_mocked;
    return /:get(_one)?:/.test(rule) ? can_mocked || !rulesAreLoaded : enforce_mocked;
  };
  const rules = Object.entries(defaultPolicies(contractText('policies.json')));
  return Object.fromEntries(rules.map(([rule, check]) => [rule, passes(rule) && !decided.has(rule) ? '@' : check]));
}

const eventsRule = 'container:action:events';
const externalRule = 'network:attach_external_network';
