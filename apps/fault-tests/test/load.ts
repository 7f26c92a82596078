/** Clients that redeem codes and rotate refresh tokens as fast as they can, and repeat each request until it is answered. */

import type { Person } from '@ostiary/test-kit/person'
import { type Answer, codeForm, newCode, post, refreshForm, textOf } from './client.ts'
import { type Ledger, noteRedeemed, noteSuccessor } from './ledger.ts'
import type { Provider } from './provider.ts'

/** One realm, and a user who is signed in to it. */
export interface Site {
  issuer: string
  ann: Person
  /** Whether a spent refresh token is answered with the same successor again. */
  grace: boolean
}

/** The tokens that followed from one code, in the order of rotation; the last one is unspent. */
export interface Chain {
  site: Site
  code: string
  refresh_tokens: string[]
}

export interface Load {
  ledger: Ledger
  /** Chains that are complete and no longer in use. */
  resting: Chain[]
  /** Resolves after this many more answers. */
  answers(count: number): Promise<void>
  /** Resolves when every client has finished its current chain. */
  stop(): Promise<void>
}

const ROTATIONS = 3

/** @param sites One for each client. */
export function startLoad(provider: Provider, sites: readonly Site[], ledger: Ledger): Load {
  const resting: Chain[] = []
  let stopping = false
  let answered = 0
  let awaited: { at: number; reached: () => void } | null = null
  const note = () => {
    answered += 1
    if (awaited && answered >= awaited.at) awaited.reached()
  }

  async function work(site: Site): Promise<void> {
    while (!stopping) {
      const chain = await newChain(provider, site, ledger)
      if (chain === null) continue
      note()
      let whole = true
      for (let turn = 0; whole && turn < ROTATIONS; turn += 1) {
        whole = await rotate(provider, chain, ledger)
        note()
      }
      if (whole) resting.push(chain)
    }
  }
  const clients = sites.map(work)
  // A caller that waits for answers must learn that there will be none.
  const failed = Promise.all(clients).then(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  return {
    ledger,
    resting,
    answers: (count) =>
      Promise.race([
        failed,
        new Promise<void>((reached) => {
          awaited = { at: answered + count, reached }
        }),
      ]),
    async stop() {
      stopping = true
      await Promise.all(clients)
    },
  }
}

/** A code, redeemed. Null when the answer was lost, and the code with it. */
async function newChain(provider: Provider, site: Site, ledger: Ledger): Promise<Chain | null> {
  const { answer: code } = await persistently(provider, ledger, () => newCode(site.ann, site.issuer))
  const { answer, again } = await present(provider, ledger, [site, codeForm(code)])
  if (answer.status !== 200) {
    // Redeemed by the request whose answer was lost: a second request is a replay, with or without a grace period.
    if (!again || answer.body.error !== 'invalid_grant') ledger.faults.push(described('a code', answer))
    return null
  }
  const refresh_token = textOf(answer, 'refresh_token')
  noteRedeemed(ledger, code, refresh_token)
  return { site, code, refresh_tokens: [refresh_token] }
}

/** False when the answer was lost and there is no grace period: the token is spent and its successor unknown. */
export async function rotate(provider: Provider, chain: Chain, ledger: Ledger): Promise<boolean> {
  const { site, refresh_tokens } = chain
  const last = refresh_tokens.at(-1) ?? ''
  const { answer, again } = await present(provider, ledger, [site, refreshForm(last)])
  if (answer.status !== 200) {
    const gone = again && !site.grace && answer.body.error === 'invalid_grant'
    if (!gone) ledger.faults.push(described('a refresh token', answer))
    return false
  }
  const next = textOf(answer, 'refresh_token')
  noteSuccessor(ledger, last, next)
  refresh_tokens.push(next)
  return true
}

/** An attacker who stole every token presents each spent one. Counts the answers that must not succeed. */
export async function replay({ site, code, refresh_tokens }: Chain, ledger: Ledger): Promise<number> {
  const token = (form: Record<string, string>) => post(`${site.issuer}/oauth/token`, form)
  const [spent = ''] = refresh_tokens
  let stolen = 0
  const again = await token(refreshForm(spent))
  // Within the grace period it is the same successor, which the ledger checks.
  if (again.status === 200 && site.grace) noteSuccessor(ledger, spent, textOf(again, 'refresh_token'))
  else if (again.status === 200) stolen += 1
  const { status, body } = await token(codeForm(code))
  if (status === 200) stolen += 1
  else if (body.error !== 'invalid_grant') ledger.faults.push(`a replayed code: ${status}`)
  // The replay has ended the grant.
  if ((await token(refreshForm(refresh_tokens.at(-1) ?? ''))).status === 200) stolen += 1
  return stolen
}

async function present(provider: Provider, ledger: Ledger, [site, form]: [Site, Record<string, string>]) {
  const token = () => post(`${site.issuer}/oauth/token`, form)
  const { answer, again } = await persistently(provider, ledger, token)
  if (again && answer.status === 200) ledger.served_after_a_loss += 1
  if (again && answer.status !== 200) ledger.refused_after_a_loss += 1
  return { answer, again }
}

/** Repeats the request until there is an answer. `again`: an earlier request may have been processed. */
async function persistently<T>(provider: Provider, ledger: Ledger, ask: () => Promise<T>) {
  for (let again = false; ; again = true) {
    await provider.up()
    try {
      return { answer: await ask(), again }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      ledger.lost += 1
    }
  }
}

const described = (what: string, { status, body }: Answer) => `${what}: ${status} ${JSON.stringify(body)}`
