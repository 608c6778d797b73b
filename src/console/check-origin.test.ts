import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { type ConsoleSettings, defaultSettings } from '../config/settings.ts';
import { checkOrigin } from './check-origin.ts';
import { Refusal } from './refusal.ts';

type Case = [about: string, headers: IncomingHttpHeaders, settings: Partial<ConsoleSettings>];

const host = 'zun.example:6784';
const forwarded = { host: '10.0.0.5:6784', 'x-forwarded-host': 'zun.example', 'x-forwarded-proto': 'https' };

const good: Case[] = [
  ['no origin: no browser', { host }, {}],
  ['the own host', { host, origin: 'http://zun.example' }, {}],
  ['the own host at another port', { host, origin: 'http://zun.example:8080' }, {}],
  ['the own host in other letters', { host: 'ZUN.example:6784', origin: 'http://Zun.Example' }, {}],
  ['an address', { host: '127.0.0.1:6784', origin: 'http://127.0.0.1:6784' }, {}],
  ['an IPv6 address', { host: '[::1]:6784', origin: 'http://[::1]:8080' }, {}],
  ['an allowed host', { host, origin: 'https://dashboard.example' }, { allowedOrigins: ['other', 'dashboard.example'] }],
  [
    'an allowed host, in capitals and with a port',
    { host, origin: 'https://dashboard.example:8443' },
    { allowedOrigins: ['DASHBOARD.example:443'] },
  ],
  ['an allowed IPv6 address', { host, origin: 'http://[fd00::1]' }, { allowedOrigins: ['fd00::1'] }],
  [
    'python-zunclient, to an address without a port',
    { host: 'zun.example', origin: 'https://zun.example:None' },
    { publicUrl: 'wss://zun.example/' },
  ],
  ['python-zunclient, to an IPv6 address', { host: '[::1]:6784', origin: 'http://::1:6784' }, {}],
  // LP 1970083: TLS ends in front, and nobody has said so here.
  ['TLS in front that is not told of', { host, origin: 'https://zun.example' }, {}],
  ['TLS in front, told by the proxy', { ...forwarded, origin: 'https://zun.example' }, {}],
  [
    'two proxies in front',
    { ...forwarded, 'x-forwarded-host': 'zun.example, inner', 'x-forwarded-proto': 'https, http', origin: 'https://zun.example' },
    {},
  ],
  ['wss by configuration', { host: 'inner', origin: 'https://zun.example' }, { publicUrl: 'wss://zun.example/consoles' }],
  ['ws by configuration', { host: 'inner', origin: 'http://zun.example' }, { publicUrl: 'ws://zun.example:6784/' }],
  ['ws by configuration wins over what a proxy says', { ...forwarded, origin: 'http://zun.example' }, { publicUrl: 'ws://zun.example/' }],
];

const wrong: Case[] = [
  ['another host', { host, origin: 'http://evil.example' }, {}],
  ['a host that ends like the own', { host, origin: 'http://evil-zun.example' }, {}],
  ['a host that begins like the own', { host, origin: 'http://zun.example.evil' }, {}],
  ['the own host as a user', { host, origin: 'http://zun.example@evil.example' }, {}],
  ['a host that ends like an allowed one', { host, origin: 'https://x.dashboard.example' }, { allowedOrigins: ['dashboard.example'] }],
  ['the own host before a backslash', { host, origin: 'http://zun.example\\@evil.example' }, {}],
  ['the own host with a path of another', { host, origin: 'http://evil.example/zun.example' }, {}],
  ['a port alone', { host, origin: 'http://:80' }, {}],
  ['null', { host, origin: 'null' }, {}],
  ['an empty one', { host, origin: '' }, {}],
  ['something that is no URL', { host, origin: 'zun.example' }, {}],
  ['a scheme of no page', { host, origin: 'chrome-extension://zun.example' }, {}],
  ['no host to compare with', { origin: 'http://zun.example' }, {}],
  ['http where consoles are wss', { host, origin: 'http://zun.example' }, { publicUrl: 'wss://zun.example/' }],
  ['http where TLS ends in front', { ...forwarded, origin: 'http://zun.example' }, {}],
  [
    'http of an allowed host where consoles are wss',
    { host, origin: 'http://d.example' },
    { publicUrl: 'wss://zun.example/', allowedOrigins: ['d.example'] },
  ],
];

const check = ([, headers, change]: Case) => checkOrigin(headers, { ...defaultSettings('h').consoles, ...change });

for (const one of good) test(`may open consoles: ${one[0]}`, () => check(one));
for (const one of wrong)
  test(`may open no console: ${one[0]}`, () => {
    assert.throws(
      () => check(one),
      (error) => error instanceof Refusal && error.status === 403,
    );
  });
