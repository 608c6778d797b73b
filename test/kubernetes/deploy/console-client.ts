import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A client of a console, as a program of its own, as it has to run where the cluster's addresses lead somewhere. Prints JSON. */
const [url = '', typed = ''] = process.argv.slice(2);
const socket = new WebSocket(url, ['binary', 'base64'], { handshakeTimeout: 10_000 });
const giveUp = setTimeout(() => socket.terminate(), 60_000);
const said: Buffer[] = [];
socket.on('message', (data: Buffer) => said.push(data));
socket.once('open', () => socket.send(Buffer.from(typed)));
const [code] = await once(socket, 'close');
clearTimeout(giveUp);
process.stdout.write(JSON.stringify({ said: Buffer.concat(said).toString('utf8'), code }));
