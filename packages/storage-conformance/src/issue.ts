import { bucketByHash, type IssueGrant, type NeededConsent, type Storage } from '@ostiary/core'
import { expect, it } from 'vitest'
import { code, grant, NOW, ODD_LIST, ODD_TEXT, session } from './records.js'
import { parallel, type RuleContext, type Rules } from './rule.js'

const LEASE = 30
const RESOURCE = 'https://api.example/'
const SCOPES = ['openid', 'apple']
const CONSENT: NeededConsent = { resource: RESOURCE, scopes: SCOPES }

/** For a storage without the member: core checks session and consent after it has stored the grant. */
export function noIssueRule(storage: () => Storage): void {
  it('has none; give the suite `issue: true` when it has', () => {
    expect(storage().issue).toBeUndefined()
  })
}

/** Issues the grant with this name in the session `s`, to the client `client` and the user `ann`. */
function issueTo(context: RuleContext, client = 'client') {
  const { id, issue } = context
  if (issue === undefined) throw new Error('The storage has no member issue')
  return (name: string, consent: NeededConsent | null = null): ReturnType<IssueGrant> =>
    issue(recordOf(context, name, client), code(id(name)), consent)
}

const recordOf = ({ id, person }: RuleContext, name: string, client = 'client') =>
  grant(id(name), { sid: id('s'), sub: person(), client_id: id(client) })

const startSession = ({ store, id, person }: RuleContext) =>
  store.sessions.create(session(id('s'), { sub: person() }))

function approve({ store, id, person }: RuleContext, scopes = SCOPES): Promise<void> {
  const approved = [{ resource: RESOURCE, scopes }]
  return store.consents.merge({ sub: person(), client_id: id('client'), approved }, NOW)
}

/** Another user whose records are in the same bucket. */
function neighbour({ person }: RuleContext): string {
  const bucket = bucketByHash(person())
  for (let n = 0; ; n++) {
    const sub = person(`neighbour-${n}`)
    if (bucketByHash(sub) === bucket) return sub
  }
}

/** Nothing is stored with this name, and the client is not in the session. */
async function expectNothing({ store, id }: RuleContext, name: string): Promise<void> {
  expect(await store.grants.find(id(name))).toBeNull()
  expect(await store.grants.findCode(id(`${name}-code`))).toBeNull()
  const found = await store.sessions.find(id('s-hash'))
  expect(found?.client_ids ?? []).toEqual([])
}

export function issueRules(rules: Rules): void {
  storeRules(rules)
  refusalRules(rules)
  issueRaceRules(rules)
}

function storeRules({ rule }: Rules): void {
  rule('stores the grant with its code, and the client in the session once', async (context) => {
    const { store, id, person } = context
    await startSession(context)
    for (const name of ['a', 'b']) {
      expect(await issueTo(context)(name)).toBe('stored')
      const record = recordOf(context, name)
      expect(await store.grants.findCode(id(`${name}-code`))).toEqual({ code: code(id(name)), grant: record })
    }
    const found = await store.sessions.find(id('s-hash'))
    expect(found).toEqual(session(id('s'), { sub: person(), client_ids: [id('client')] }))
    expect(await issueTo(context, 'other')('c')).toBe('stored')
    const joined = await store.sessions.end(id('s'), NOW, LEASE)
    expect(joined?.client_ids.toSorted()).toEqual([id('client'), id('other')].sort())
  })

  rule('a consent with all of the scopes is enough, in any order and with more', async (context) => {
    await startSession(context)
    await approve(context, ['apple', ...ODD_LIST, 'openid'])
    const sets = [SCOPES, SCOPES.toReversed(), [], [ODD_TEXT], ODD_LIST]
    for (const [n, scopes] of sets.entries())
      expect(await issueTo(context)(`${n}`, { resource: RESOURCE, scopes })).toBe('stored')
  })
}

function refusalRules({ rule }: Rules): void {
  rule('session_ended: without a session that has not ended', async (context) => {
    const { store, id } = context
    await approve(context)
    const refused = async () => {
      for (const consent of [null, CONSENT, { resource: 'https://no.example/', scopes: [] }])
        expect(await issueTo(context)('a', consent)).toBe('session_ended')
      await expectNothing(context, 'a')
    }
    await refused()
    await startSession(context)
    await store.sessions.end(id('s'), NOW, LEASE)
    await refused()
    expect((await store.sessions.end(id('s'), NOW + LEASE, LEASE))?.client_ids).toEqual([])
    await store.sessions.forget(id('s'))
    await refused()
  })

  rule('consent_withdrawn: without a consent of this user, for this client and resource', async (context) => {
    const { store, id, person } = context
    await startSession(context)
    const approved = [{ resource: RESOURCE, scopes: SCOPES }]
    for (const sub of [person('bob'), neighbour(context)])
      await store.consents.merge({ sub, client_id: id('client'), approved }, NOW)
    await store.consents.merge({ sub: person(), client_id: id('other'), approved }, NOW)
    await approve(context, ['openid'])
    for (const consent of [CONSENT, { resource: 'https://other.example/', scopes: [] }])
      expect(await issueTo(context)('a', consent)).toBe('consent_withdrawn')
    await expectNothing(context, 'a')
    await approve(context, ['apple'])
    expect(await issueTo(context)('a', CONSENT)).toBe('stored')
  })

  rule('consent_withdrawn: after its revocation or deletion, until it is approved again', async (context) => {
    const { store, id, person } = context
    const selection = { sub: person(), client_id: id('client') }
    await startSession(context)
    for (const withdraw of [
      () => store.consents.revoke(selection, NOW),
      () => store.consents.delete(selection),
    ]) {
      await approve(context)
      await withdraw()
      expect(await issueTo(context)('a', CONSENT)).toBe('consent_withdrawn')
      // The scopes of before are not approved again.
      await approve(context, ['apple'])
      expect(await issueTo(context)('a', CONSENT)).toBe('consent_withdrawn')
      await expectNothing(context, 'a')
    }
    await approve(context, ['openid'])
    expect(await issueTo(context)('a', CONSENT)).toBe('stored')
  })
}

function issueRaceRules({ rule }: Rules): void {
  rule('no grant outlives the end of its session, and its client is notified', async (context) => {
    const { store, id, person } = context
    await startSession(context)
    const ended: string[][] = []
    const outcomes = await parallel(50, async (caller) => {
      if (caller !== 25) return issueTo(context, `client-${caller}`)(`${caller}`)
      ended.push((await store.sessions.end(id('s'), NOW, LEASE))?.client_ids ?? [])
      await store.grants.revoke({ sid: id('s') }, NOW)
      return 'end'
    })
    expect(outcomes).not.toContain('consent_withdrawn')
    const issued = outcomes.flatMap((outcome, caller) => (outcome === 'stored' ? id(`client-${caller}`) : []))
    expect(ended.map((ids) => ids.toSorted())).toEqual([issued.sort()])
    expect(await store.grants.list(person(), NOW)).toEqual([])
  })

  rule('no grant outlives the withdrawal of its consent', async (context) => {
    const { store, id, person } = context
    const selection = { sub: person(), client_id: id('client') }
    await startSession(context)
    await approve(context)
    const outcomes = await parallel(50, async (caller) => {
      if (caller !== 25) return issueTo(context)(`${caller}`, CONSENT)
      await store.consents.revoke(selection, NOW)
      await store.grants.revoke(selection, NOW)
      return 'withdrawal'
    })
    expect(outcomes).not.toContain('session_ended')
    expect(await store.grants.list(person(), NOW)).toEqual([])
  })
}
