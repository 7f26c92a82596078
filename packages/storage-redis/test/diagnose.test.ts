/** What `diagnose` finds in a real Redis with each of these settings. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startRedis, startRedisProgram } from '@ostiary/local-services/redis'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { redisSentinels } from '@ostiary/test-kit/redis/sentinel'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diagnose } from '../src/index.ts'

const look = async (url: string, sessions: 'database' | 'redis' = 'database') => {
  const findings = await diagnose(url, { holds_sessions: sessions === 'redis', shown_as: 'REDIS_URL' })
  return findings.map(({ status, message }) => `${status}: ${message}`)
}

async function ownRedis() {
  const { url, stop } = await startRedis()
  onTestFinished(stop)
  const admin = new Redis(url)
  onTestFinished(() => admin.disconnect())
  const set = (name: string, value: string) => admin.config('SET', name, value)
  return { url, admin, set }
}

async function clusterNode(more = ''): Promise<{ host: string; admin: Redis }> {
  const bus = await freePort()
  const { port, stop } = await startRedisProgram({
    args: (port, folder) =>
      `--port ${port} --bind 127.0.0.1 --dir ${folder} --save 60 1 --cluster-enabled yes --cluster-port ${bus} ${more}`
        .trim()
        .split(' '),
  })
  onTestFinished(stop)
  const admin = new Redis(port)
  onTestFinished(() => admin.disconnect())
  return { host: `127.0.0.1:${port}`, admin }
}

const OK = expect.stringMatching(/^ok: answers \(version \d/)

describe('one server', () => {
  it('that keeps its records: ok', async () => {
    const { url, set } = await ownRedis()
    await set('appendonly', 'yes')
    expect(await look(url)).toEqual([OK])
    expect(await look(url, 'redis')).toEqual([OK])
  })

  it('without persistence: a note, and a fault where the sessions are in it', async () => {
    const { url, set } = await ownRedis()
    const nothing = 'keeps nothing when it stops (appendonly no, no save)'
    expect(await look(url)).toEqual([OK, `note: ${nothing}`])
    expect(await look(url, 'redis')).toEqual([OK, `fault: ${nothing}, and holds the sessions`])
    await set('save', '60 1')
    expect(await look(url)).toEqual([OK])
    expect(await look(url, 'redis')).toEqual([
      OK,
      'note: loses the sessions since its last snapshot when it stops (appendonly no)',
    ])
  })

  it('that refuses writes: a fault that says why, and nothing is written', async () => {
    const { url, admin, set } = await ownRedis()
    await set('appendonly', 'yes')
    await set('maxmemory', '1')
    expect(await look(url)).toEqual([OK, 'fault: is full, and refuses writes (maxmemory)'])
    await set('maxmemory', '0')
    await set('min-replicas-to-write', '1')
    expect(await look(url)).toEqual([
      OK,
      'fault: has too few replicas, and refuses writes (min-replicas-to-write)',
    ])
    await set('min-replicas-to-write', '0')
    expect(await admin.dbsize()).toBe(0)
    await admin.replicaof('127.0.0.1', 1)
    expect(await look(url)).toEqual([OK, 'fault: is a replica of 127.0.0.1:1, and refuses writes'])
  })

  it('whose user may run neither INFO nor CONFIG: notes', async () => {
    const { url, admin } = await ownRedis()
    await admin.acl('SETUSER', 'limited', 'on', '>hush', '~ostiary:*', '+@all', '-info', '-@admin')
    const limited = url.replace('//', '//limited:hush@')
    const unknown = expect.stringMatching(/^note: answers, but its user may not run INFO/)
    expect(await look(limited)).toEqual([unknown])
    expect(await look(limited, 'redis')).toEqual([
      expect.stringMatching(/^fault: answers, but its user may not run INFO.*: the server does not start$/),
    ])
    await admin.acl('SETUSER', 'limited', '+info')
    expect(await look(limited)).toEqual([OK])
    expect(await look(limited, 'redis')).toEqual([
      OK,
      'note: has no appendonly, and whether it saves snapshots is unknown',
    ])
    expect(await look(limited.replace('hush', 'wrong'))).toEqual([
      expect.stringMatching(/^fault: refuses the password: WRONGPASS/),
    ])
  })

  it('that is a node of a cluster or a sentinel: a fault', async () => {
    const { host } = await clusterNode()
    expect(await look(`redis://${host}`)).toEqual([
      'fault: is one node of a Redis Cluster, which refuses the keys of the other nodes: the server does not start',
    ])
    const { port, stop } = await startRedisProgram({
      args(port, folder) {
        writeFileSync(join(folder, 'sentinel.conf'), `port ${port}\nbind 127.0.0.1\n`)
        return [join(folder, 'sentinel.conf'), '--sentinel']
      },
      ready: /Sentinel ID is/,
    })
    onTestFinished(stop)
    expect(await look(`redis://127.0.0.1:${port}`)).toEqual([
      'fault: is a sentinel, which stores no records: the server does not start',
    ])
  })
})

it('sentinels: names the master, and what could not replace it', async () => {
  const { url, nodes, sentinels } = await redisSentinels(onTestFinished, {
    replicas: 0,
    sentinels: 1,
    settings: 'appendonly yes\nrequirepass hush',
    sentinel_settings: 'sentinel auth-pass mymaster hush',
  })
  const withPassword = url.replace('//', '//:hush@')
  expect(await look(withPassword)).toEqual([
    expect.stringMatching(`^ok: the master 127.0.0.1:${nodes[0]?.port} answers \\(version \\d`),
    'note: 1 sentinel monitors the master: after the loss of one, none may replace it',
    'note: the master has no replica that could replace it',
  ])
  expect(await look(url)).toEqual([
    expect.stringMatching(/^fault: refuses the password: NOAUTH/),
    expect.any(String),
    expect.any(String),
  ])
  expect(await look(withPassword.replace('mymaster', 'other'))).toEqual([
    'fault: the sentinels monitor no master "other": they know mymaster',
  ])
  await sentinels[0]?.admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>watch')
  expect(await look(withPassword)).toEqual([
    expect.stringMatching(/^fault: the sentinels refuse the password: NOAUTH/),
  ])
  expect(await look(`${withPassword}?sentinel_password=watch`)).toHaveLength(3)
  expect(await look(`redis+sentinel://127.0.0.1:${nodes[0]?.port}/m`)).toEqual([
    expect.stringMatching(/^fault: the sentinels refuse the password: NOAUTH/),
  ])
  const { url: plain } = await ownRedis()
  expect(await look(`redis+sentinel://${new URL(plain).host}/m`)).toEqual([
    'fault: REDIS_URL names servers that are no sentinels',
  ])
  expect(await look('redis+sentinel://127.0.0.1:1/m')).toEqual([
    'fault: no sentinel of REDIS_URL answers (ECONNREFUSED)',
  ])
})

it('a cluster: names its masters, and what is missing', async () => {
  const { host, admin } = await clusterNode('--cluster-announce-ip 127.0.0.1')
  const url = `redis+cluster://${host}`
  await admin.cluster('ADDSLOTSRANGE', 0, 16_383)
  const state = async () => `${await admin.cluster('INFO')}`
  // A node waits for a while after its start.
  await eventually(async () => expect(await state()).toContain('cluster_state:ok'))
  expect(await look(url)).toEqual([
    expect.stringMatching(`^ok: the masters ${host} of the cluster answer \\(version \\d`),
    'note: the cluster has 1 master: when one is lost, no replica is promoted',
    `note: masters without a replica: ${host}`,
  ])
  await admin.config('SET', 'cluster-require-full-coverage', 'no')
  await admin.cluster('DELSLOTS', 7)
  expect(await look(url)).toContain('fault: is a cluster in which slots have no master')
  const { url: plain } = await ownRedis()
  expect(await look(plain.replace('redis:', 'redis+cluster:'))).toEqual([
    'fault: REDIS_URL is a server without a cluster',
  ])
  const nameless = await clusterNode()
  await nameless.admin.cluster('ADDSLOTSRANGE', 0, 16_383)
  expect(await look(`redis+cluster://${nameless.host}`)).toEqual([
    expect.stringMatching(/^fault: REDIS_URL does not answer/),
  ])
  expect(await look('redis+cluster://127.0.0.1:1')).toEqual([
    'fault: REDIS_URL does not answer (Connection is closed.)',
  ])
})
