import type { ClientSweep, SweepStep } from '@ostiary/core'
import { expect } from 'vitest'
import { elsewhere } from './ids.js'
import { code, grant, LATER, NOW, ODD_TEXT } from './records.js'
import { parallel, type Rules } from './rule.js'

/** Makes all steps; returns the number of changed records. A step may read any number of records. */
async function sweepAll(
  sweep: ClientSweep,
  step: (sweep: ClientSweep) => Promise<SweepStep>,
): Promise<number> {
  let changed = 0
  let after: string | null = null
  for (let steps = 0; steps < 1000; steps += 1) {
    const done: SweepStep = await step(after === null ? sweep : { ...sweep, after })
    changed += done.count
    if (done.next === null) return changed
    after = done.next
  }
  throw new Error('the steps never end')
}

const RESOURCES = ['https://a.example/', ODD_TEXT]

/** What is deleted or revoked with a client or a user. */
export function deletionRules({ rule }: Rules): void {
  rule('consents.delete: of a user, or of one client of the user', async ({ store, id }) => {
    const approved = RESOURCES.map((resource) => ({ resource, scopes: ['openid'] }))
    const consent = (sub: string, client_id: string) =>
      store.consents.merge({ sub: id(sub), client_id: id(client_id), approved }, NOW)
    for (const client of ['a', 'b', 'c']) await consent('ann', client)
    await consent('bob', 'a')
    await store.consents.revoke({ sub: id('ann'), client_id: id('c') }, NOW)
    expect(await store.consents.delete({ sub: id('ann'), client_id: id('a') })).toBe(2)
    expect(await store.consents.find(id('ann'), id('a'), RESOURCES)).toEqual([])
    expect(await store.consents.delete({ sub: id('ann'), client_id: id('a') })).toBe(0)
    expect(await store.consents.list(id('ann'))).toHaveLength(4)
    expect(await store.consents.delete({ sub: id('ann') })).toBe(4)
    expect(await store.consents.list(id('ann'))).toEqual([])
    expect(await store.consents.delete({ sub: id('ann') })).toBe(0)
    expect(await store.consents.list(id('bob'))).toHaveLength(2)
    await consent('ann', 'a')
    expect(await store.consents.find(id('ann'), id('a'), RESOURCES)).toHaveLength(2)
  })

  rule('consents.delete: a new consent has only the newly approved scopes', async ({ store, id }) => {
    const merge = (scope: string) =>
      store.consents.merge(
        { sub: id('ann'), client_id: 'c', approved: [{ resource: 'r', scopes: [scope] }] },
        NOW,
      )
    await merge('old')
    await store.consents.delete({ sub: id('ann') })
    await merge('new')
    expect(await store.consents.list(id('ann'))).toMatchObject([{ scopes: ['new'], revoked_at: null }])
  })

  rule('consents.deleteOfClient: of every user, and only from before the time', async ({ store, id }) => {
    const consent = (sub: string, client_id: string, now: number) =>
      store.consents.merge(
        {
          sub: id(sub),
          client_id: id(client_id),
          approved: RESOURCES.map((resource) => ({ resource, scopes: [] })),
        },
        now,
      )
    for (const sub of ['ann', 'bob', 'eve']) await consent(sub, 'gone', NOW)
    for (const sub of ['ann', 'bob']) await consent(sub, 'stays', NOW)
    await consent('eve', 'gone', LATER)
    const sweep = { client_id: id('gone'), before: LATER }
    expect(await sweepAll(sweep, (step) => store.consents.deleteOfClient(step))).toBe(4)
    expect(await store.consents.find(id('ann'), id('gone'), RESOURCES)).toEqual([])
    expect(await store.consents.find(id('ann'), id('stays'), RESOURCES)).toHaveLength(2)
    expect(await store.consents.list(id('bob'))).toHaveLength(2)
    expect(await store.consents.list(id('eve'))).toHaveLength(2)
    expect(await sweepAll(sweep, (step) => store.consents.deleteOfClient(step))).toBe(0)
  })

  rule(
    'grants.revokeOfClient: of every user, and only from before the time',
    async ({ store, id, person }) => {
      const gone = { client_id: id('gone') }
      const [ann, bob] = [person('ann'), elsewhere(person('ann'))]
      const records = [
        grant(id('ann', ann), { ...gone, sub: ann }),
        grant(id('offline', ann), { ...gone, sub: ann, offline: true, resource: null }),
        grant(id('bob', bob), { ...gone, sub: bob, created_at: LATER - 1 }),
        grant(id('revoked', bob), { ...gone, sub: bob, revoked_at: NOW - 9 }),
        grant(id('new', bob), { ...gone, sub: bob, created_at: LATER }),
        grant(id('other', ann), { client_id: id('stays'), sub: ann }),
        grant(id('similar', ann), { client_id: `${id('gone')}-2`, sub: ann }),
      ]
      for (const record of records) await store.grants.create(record, code(record.grant_id))
      const sweep = { ...gone, before: LATER }
      const run = () => sweepAll(sweep, (step) => store.grants.revokeOfClient(step, NOW))
      expect(await run()).toBe(3)
      expect(await run()).toBe(0)
      const found = await Promise.all(records.map(({ grant_id }) => store.grants.find(grant_id)))
      expect(found.map((record) => record?.revoked_at)).toEqual([NOW, NOW, NOW, NOW - 9, null, null, null])
    },
  )

  rule('grants.revokeOfClient: many users, with many grants of one user', async ({ store, id, person }) => {
    const made = await parallel(200, async (n) => {
      const sub = person(`${n % 10 === 0 ? 0 : n}`)
      const changes = { client_id: id(n % 3 === 0 ? 'gone' : 'stays'), sub }
      await store.grants.create(grant(id(`${n}`, sub), changes), code(id(`${n}`, sub)))
      return changes
    })
    const sweep = { client_id: id('gone'), before: LATER }
    const revoked = await sweepAll(sweep, (step) => store.grants.revokeOfClient(step, NOW))
    expect(revoked).toBe(made.filter(({ client_id }) => client_id === id('gone')).length)
  })
}
