import type { SettingRow } from '../setting-row.ts';
import type { ValueRule } from '../value-rule.ts';
import { positive } from './rules.ts';

const port: ValueRule = { type: 'number', whole: true, minimum: 1, maximum: 65_535 };
const address: ValueRule = { type: 'text', pattern: /^\S+$/, wanted: 'an address or a host name' };
const url: ValueRule = { type: 'text', pattern: /^https?:\/\/[^\s/]+(\/\S*)?$/, wanted: 'an http or https URL', orNull: true };

/** What it listens on, and bears. */
export const httpRows: readonly SettingRow[] = [
  {
    key: 'api.host',
    fields: ['api.listen.host'],
    rule: address,
    says: 'The address to listen on.',
    replaces: ['api/host_ip', 'DEFAULT/my_ip'],
    variable: 'ZUN_HOST',
  },
  {
    key: 'api.port',
    fields: ['api.listen.port'],
    rule: port,
    says: 'The port of the API; in standalone identity is on the next one, consoles on the one after.',
    replaces: ['api/port'],
    variable: 'ZUN_PORT',
  },
  {
    key: 'api.publicUrl',
    fields: ['api.publicUrl'],
    rule: url,
    says: "What links begin with, and the local identity's catalogue has, for an API behind a proxy. null: what the request says; 127.0.0.1.",
  },
  {
    key: 'api.allowedOrigins',
    fields: ['api.allowedOrigins'],
    rule: { type: 'list', pattern: /^\S+$/, wanted: 'origins (https://dashboard.example) or *' },
    says: 'Origins whose web pages may call the API (CORS).',
    replaces: ['cors/allowed_origin'],
  },
  {
    key: 'api.publicPaths',
    fields: ['api.publicPaths'],
    rule: { type: 'list', pattern: /^\/\S*$/, wanted: 'paths that begin with /' },
    says: 'Paths that need no token.',
  },
  {
    key: 'api.maximumBodyBytes',
    fields: ['api.bodyLimit'],
    rule: positive,
    says: 'The longest body of a request; files that are mounted travel in it.',
  },
  {
    key: 'api.maximumArchiveBytes',
    fields: ['api.archiveLimit'],
    rule: positive,
    says: 'The longest body of a request that brings an archive into a container.',
  },
  {
    key: 'api.requestTimeoutMilliseconds',
    fields: ['api.requestTimeout'],
    rule: positive,
    says: 'So long a client may take to send its request.',
  },
  {
    key: 'api.headersTimeoutMilliseconds',
    fields: ['api.headersTimeout'],
    rule: positive,
    says: 'So long a client may take to send the headers of its request.',
  },
  {
    key: 'api.maximumPageSize',
    fields: ['containers.maximumPageSize'],
    rule: positive,
    says: 'Most rows of one page of a list.',
    replaces: ['api/max_limit'],
  },
  {
    key: 'identity.publicUrl',
    fields: ['identity.publicUrl'],
    rule: url,
    says: 'Where clients reach the local identity, without /v3, when it is behind a proxy. null: 127.0.0.1, on the port after the API.',
  },
  {
    key: 'admin.host',
    fields: ['admin.listen.host'],
    rule: address,
    says: 'The address of health and metrics.',
    usually: 'api.host in standalone, else 0.0.0.0',
  },
  {
    key: 'admin.port',
    fields: ['admin.listen.port'],
    rule: port,
    says: 'The port of health and metrics.',
    usually: 'api.port + 3 in standalone, else 9090',
    variable: 'ZUN_ADMIN_PORT',
  },
  {
    key: 'consoles.host',
    fields: ['consoles.listen.host'],
    rule: address,
    says: 'The address that zun-wsproxy listens on for consoles.',
    replaces: ['websocket_proxy/wsproxy_host'],
  },
  {
    key: 'consoles.port',
    fields: ['consoles.listen.port'],
    rule: port,
    says: 'Its port.',
    usually: 'api.port + 2 in standalone, else 6784',
    replaces: ['websocket_proxy/wsproxy_port'],
  },
  {
    key: 'consoles.publicUrl',
    fields: ['consoles.publicUrl'],
    rule: { type: 'text', pattern: /^wss?:\/\/[^\s/?]+(\/[^\s?]*)?$/, wanted: 'a ws or wss URL', orNull: true },
    says: 'What addresses of consoles begin with. null: ws:// and the host that the request names to the API, with consoles.port.',
    replaces: ['websocket_proxy/base_url'],
  },
  {
    key: 'consoles.allowedOrigins',
    fields: ['consoles.allowedOrigins'],
    rule: { type: 'list', pattern: /^[^\s/]+$/, wanted: 'host names (dashboard.example)' },
    says: 'Hosts whose web pages may open consoles, beside the one that they are opened at.',
    replaces: ['websocket_proxy/allowed_origins'],
  },
  {
    key: 'consoles.tokenSeconds',
    fields: ['consoles.tokenSeconds'],
    rule: positive,
    says: 'So long the address of a console can be opened, once.',
  },
  {
    key: 'consoles.idleSeconds',
    fields: ['consoles.idleSeconds'],
    rule: positive,
    says: 'A console in which nothing moves for so long is closed; its process goes on.',
  },
];
