/** What an answer of an upstream means: which user it is, or why it is none. */

import { type Link, type User, usernameKey } from '@ostiary/identity'
import { MAX_GROUP_VALUES } from '../protocol/oidc.js'
import type { UpstreamAnswer } from '../protocol/trip.js'
import type { UpstreamReason } from '../refusal.js'
import type { UpstreamSettings } from '../settings.js'
import { domainFault, isAuthoritative } from './domains.js'
import { withGroups } from './groups.js'
import { marksOf } from './marks.js'
import type { UpstreamArrival, UpstreamOutcome } from './outcome.js'
import { signUp } from './sign-up.js'

interface Answered {
  settings: UpstreamSettings
  answer: UpstreamAnswer
  arrival: UpstreamArrival
}

/** How long another sign-up of the same account waits, in seconds. */
const SIGN_UP_SECONDS = 10

export async function decide(answered: Answered): Promise<UpstreamOutcome> {
  const { answer, arrival } = answered
  const link = await arrival.links.find(answer.issuer, answer.subject)
  if (arrival.signed_in !== null) return atAccount(answered, arrival.signed_in, link)
  return link === null ? firstSight(answered) : known(answered, link)
}

const refused = (reason: UpstreamReason, sub: string | null = null): UpstreamOutcome => ({ reason, sub })

async function known(answered: Answered, link: Link): Promise<UpstreamOutcome> {
  const { settings, answer, arrival } = answered
  const { users, links, now } = arrival
  const user = await users.find(link.sub)
  if (user === null) return refused('no_account')
  if (user.disabled_at !== null) return refused('disabled', user.sub)
  await links.use(link, now)
  const current = await withGroups(users, user, { settings, answer, now })
  return signedIn(answered, { user: current, link, added: null })
}

const signedIn = (
  { settings: { type, require_second_factor = false }, answer }: Answered,
  outcome: { user: User; link: Link; added: 'link' | 'user' | null },
): UpstreamOutcome => ({
  ...outcome,
  second_factor: require_second_factor,
  ignores_groups: answer.groups !== null && answer.groups.length > MAX_GROUP_VALUES,
  marks: type === 'oidc' ? marksOf(answer) : [],
})

/** A link of the signed-in user is added, or is the proof that it is them. */
async function atAccount(
  answered: Answered,
  { user, adds_link }: NonNullable<UpstreamArrival['signed_in']>,
  link: Link | null,
): Promise<UpstreamOutcome> {
  if (link !== null && link.sub !== user.sub)
    return refused(adds_link ? 'linked_elsewhere' : 'other_account', user.sub)
  if (link !== null) return signedIn(answered, { user, link, added: null })
  if (!adds_link) return refused('other_account', user.sub)
  return addLink(answered, user)
}

const linkOf = ({ answer, arrival }: Answered, sub: string): Link => ({
  issuer: answer.issuer,
  subject: answer.subject,
  upstream: arrival.id,
  sub,
  label: answer.email ?? answer.preferred_username ?? answer.name ?? answer.subject,
  linked_at: arrival.now,
  last_used_at: null,
})

async function addLink(answered: Answered, user: User): Promise<UpstreamOutcome> {
  const { links, users, now } = answered.arrival
  const link = linkOf(answered, user.sub)
  const { credential_version } = user
  if (!(await links.add(link, { credential_version, now }))) return refused('changed_meanwhile', user.sub)
  const changed = await users.find(user.sub)
  return changed === null
    ? refused('changed_meanwhile', user.sub)
    : signedIn(answered, { user: changed, link, added: 'link' })
}

async function firstSight(answered: Answered): Promise<UpstreamOutcome> {
  const { settings, answer, arrival } = answered
  const user = await userOfAddress(answered)
  if (user !== null)
    return user.disabled_at === null ? addLink(answered, user) : refused('disabled', user.sub)
  if (settings.signup !== true) return refused('no_account')
  const fault = domainFault(settings, answer)
  if (fault !== null) return refused(fault)
  // One sign-up of an account at a time: otherwise each of them would make a user.
  const key = JSON.stringify(['sign-up', answer.issuer, answer.subject])
  if (!(await arrival.claim(key, SIGN_UP_SECONDS))) return refused('busy')
  const { users, links, now } = arrival
  const created = await signUp({
    users,
    links,
    settings,
    answer,
    linkOf: (sub) => linkOf(answered, sub),
    now,
  })
  if (created === null) return refused('changed_meanwhile')
  const current = await withGroups(users, created.user, { settings, answer, now })
  return signedIn(answered, { user: current, link: created.link, added: 'user' })
}

/**
 * The account whose user name is the address, for `link: "verified_email"`: the upstream hands out the addresses of this domain, says that it
 * is verified, and it was verified here. An account whose address was not may have been made by another person, who waits for this link.
 */
async function userOfAddress({ settings, answer, arrival }: Answered): Promise<User | null> {
  const { email } = answer
  if (settings.link !== 'verified_email' || email === null || !isAuthoritative(settings, answer)) return null
  const key = usernameKey(email)
  const user = key === null ? null : await arrival.users.findByUsername(key)
  const { email: own, email_verified } = user?.claims ?? {}
  const is_same = typeof own === 'string' && usernameKey(own) === key
  return is_same && email_verified === true ? user : null
}
