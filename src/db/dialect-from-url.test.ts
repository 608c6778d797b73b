import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialectFromUrl, serverAddress } from './dialect-from-url.ts';

test('a URL of an operator’s zun.conf names a server', () => {
  const { tls, connections, ...address } = serverAddress('mysql+pymysql://zun:p%40ss%2Fw@db.example:3307/zun?charset=utf8');
  assert.deepEqual(address, { host: 'db.example', port: 3307, socket: null, user: 'zun', password: 'p@ss/w', database: 'zun' });
  assert.deepEqual([tls, connections], [null, 20]);
  assert.equal(serverAddress('mysql+pymysql://zun@/zun?unix_socket=/run/mysqld/mysqld.sock').socket, '/run/mysqld/mysqld.sock');
  assert.deepEqual(serverAddress('postgresql://[::1]/zun?sslmode=require&pool_size=5').tls, { rejectUnauthorized: false });
  assert.equal(serverAddress('postgresql://[::1]/zun').host, '::1');
});

test('SQLite is opened where SQLAlchemy would', async () => {
  assert.equal(dialectFromUrl('sqlite://').name, 'sqlite');
});

test('what cannot be used is refused without the password', () => {
  assert.throws(() => dialectFromUrl('oracle://zun:secret@db/zun'), /the database URL oracle:\/\/zun:\*\*\*@db\/zun is of no known kind/);
  assert.throws(() => dialectFromUrl('mysql://zun:secret@db'), /mysql:\/\/zun:\*\*\*@db names no database/);
});
