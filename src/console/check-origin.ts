import type { IncomingHttpHeaders } from 'node:http';
import type { ConsoleSettings } from '../config/settings.ts';
import { Refusal } from './refusal.ts';

/**
 * Refuses web pages of hosts that are neither the proxy's own nor named by the operator. A client that sends no Origin is no browser, and
 * may say what it likes anyway. The own host is what the client has asked for: Host, what a proxy in front says that it was
 * (X-Forwarded-Host), and that of `publicUrl`; a web page chooses none of them. Ports do not count, as in the original.
 *
 * The page's scheme: where consoles are reached by TLS (`publicUrl` is wss://, or else X-Forwarded-Proto says so) the page has to have come
 * by TLS too; elsewhere both are good, since a page that came by TLS can be here only when TLS ends at a proxy in front, which the original
 * refuses unless the proxy sends X-Forwarded-Proto (LP 1970083). Origin: zun/websocket/websocketproxy.py (new_websocket_client).
 */
export function checkOrigin(headers: IncomingHttpHeaders, { publicUrl, allowedOrigins }: ConsoleSettings): void {
  if (headers.origin === undefined) return;
  const origin = parsedOrigin(headers.origin);
  if (origin === null) {
    throw new Refusal(
      'origin',
      'The Origin of this connection is no web page: consoles are opened by pages that have come by http or https.',
    );
  }
  const own = [hostOf(headers.host), ...listed(headers['x-forwarded-host']).map(hostOf), publicUrl && hostOf(new URL(publicUrl).host)];
  const good = [...own, ...allowedOrigins.map((name) => hostOf(name))];
  if (!good.includes(origin.host)) {
    throw new Refusal('origin', `Web pages of ${origin.host} may not open consoles here (consoles.allowedOrigins).`);
  }
  if (origin.scheme === 'http' && isSecure(headers, publicUrl)) {
    throw new Refusal('origin', `Consoles are opened over TLS here, and the page has come without (${headers.origin}).`);
  }
}

/**
 * Scheme and host; `null` for what is no page's. Its port is not looked at: python-zunclient sends `https://host:None` where the address
 * has none, and the bare `http://::1:6784` for an IPv6 address.
 */
function parsedOrigin(text: string): { scheme: string; host: string } | null {
  const [, scheme = '', place = ''] = /^(https?):\/\/([^\s/?#@\\]+)$/i.exec(text) ?? [];
  const host = place.replace(/:[^:\]]*$/, '');
  return host === '' ? null : { scheme: scheme.toLowerCase(), host: bare(host) };
}

function isSecure(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  if (publicUrl !== null) return publicUrl.startsWith('wss:');
  return ['https', 'wss'].includes(listed(headers['x-forwarded-proto'])[0] ?? '');
}

/** The values of a header that each proxy on the way may have added to, the client's first. */
function listed(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((value) => value.trim().toLowerCase());
}

/** The name in `name`, `name:port`, `[::1]:port` or `::1`, in lower case; `null` for none. */
function hostOf(host: string | undefined): string | null {
  if (host === undefined || host === '') return null;
  const named = host.split(':').length > 2 && !host.startsWith('[') ? `[${host}]` : host;
  const url = URL.parse(`http://${named}`);
  return url && bare(url.hostname);
}

const bare = (hostname: string): string => hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
