import { expect, it } from 'vitest'
import { redisAddress, redisAddressFault } from './address.js'

const node = (host: string, port: number) => ({ host, port })
const sentinels = { kind: 'sentinel', tls: false, login: {}, sentinel_login: {}, db: 0 }

it.each([
  ['redis://x', { kind: 'server', url: 'redis://x', login: {} }],
  ['rediss://:p@x:1/3', { kind: 'server', url: 'rediss://:p@x:1/3', login: { password: 'p' } }],
  ['redis://x/?family=6', { kind: 'server', url: 'redis://x/?family=6', login: {} }],
  ['redis+sentinel://a/m', { ...sentinels, nodes: [node('a', 26379)], name: 'm' }],
  [
    'redis+sentinel://ann:p%40s@a:1,b,[::1]:3/my-master/4',
    {
      ...sentinels,
      nodes: [node('a', 1), node('b', 26379), node('::1', 3)],
      login: { username: 'ann', password: 'p@s' },
      name: 'my-master',
      db: 4,
    },
  ],
  [
    'rediss+sentinel://:p:q@a/m?sentinel_username=watch&sentinel_password=s%26t',
    {
      ...sentinels,
      tls: true,
      nodes: [node('a', 26379)],
      login: { password: 'p:q' },
      name: 'm',
      sentinel_login: { username: 'watch', password: 's&t' },
    },
  ],
  [
    'redis+cluster://:hush@a:7000,b.example',
    {
      kind: 'cluster',
      tls: false,
      nodes: [node('a', 7000), node('b.example', 6379)],
      login: { password: 'hush' },
    },
  ],
  ['rediss+cluster://a:80/', { kind: 'cluster', tls: true, nodes: [node('a', 80)], login: {} }],
])('%s', (url, address) => expect(redisAddress(url)).toEqual(address))

const ANY =
  'give a URL such as redis://host:6379, redis+sentinel://host1:26379,host2:26379,host3:26379/master-name or redis+cluster://host1:6379,host2:6379,host3:6379'
const SEVERAL =
  /^several hosts are sentinels or nodes of a cluster: give a URL such as redis\+sentinel:.* or redis\+cluster:/
const SENTINEL = /give a URL such as redis\+sentinel:\/\/host1:26379,host2:26379,host3:26379\/master-name/
const CLUSTER = /give a URL such as redis\+cluster:\/\/host1:6379,host2:6379,host3:6379$/

it.each<[string, string | RegExp]>([
  ['localhost', ANY],
  ['redis://', ANY],
  ['redis:host', ANY],
  ['http://x', ANY],
  ['redis+server://x', ANY],
  ['redis+sentinels://x/m', ANY],
  ['rediss+tls+cluster://x', ANY],
  ['redis://a,b', SEVERAL],
  ['redis://:hush@a:1,b:2', SEVERAL],
  ['redis://a:port', /^give a URL such as redis:\/\/host:6379$/],
  ['redis:///0', /^give a URL such as redis:\/\/host:6379$/],
  ['redis://a/master', /^only the number of a database may follow the host/],
  ['redis://a/0/1', /^only the number of a database may follow the host/],
  ['redis://:100%@a', /percent-encoded: write %25 for %$/],
  [
    'redis+sentinel://a:26379,b',
    /^the name of the master .* is missing: give a URL such as redis\+sentinel:/,
  ],
  ['redis+sentinel://a/', SENTINEL],
  ['redis+sentinel://a/m/x', SENTINEL],
  ['redis+sentinel://a/m/0/1', SENTINEL],
  ['redis+sentinel://a,,b/m', /^"" is not a host with a port: give a URL such as redis\+sentinel:/],
  ['redis+sentinel://a:70000/m', /^"a:70000" is not a host with a port/],
  ['redis+sentinel://a#b/m', /^"a#b" is not a host with a port/],
  [
    'redis+sentinel://a/m?password=x',
    /^there is no parameter password: sentinel_username and sentinel_password are/,
  ],
  ['redis+sentinel://a/m?__proto__=x', /^there is no parameter __proto__/],
  ['redis+sentinel://a/%zz', /percent-encoded/],
  ['redis+cluster://a,b/1', CLUSTER],
  ['redis+cluster://a,b?db=1', CLUSTER],
  ['redis+cluster://a b', CLUSTER],
  ['redis+cluster://:hush@', CLUSTER],
])('%s is refused', (url, message) => {
  const fault = redisAddressFault(url)
  expect(fault).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  expect(fault).not.toContain('hush')
})
