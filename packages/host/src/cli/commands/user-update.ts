import type { Claims } from '@ostiary/core'
import type { User, UserChanges } from '@ostiary/identity'
import { given } from '../../values/given.js'
import { type Command, type CommandInput, notFound, usageError } from '../command.js'
import { changeLine } from '../output.js'
import { findUser, ofRealm, SUB_OPTION } from '../workspace.js'
import { ATTRIBUTE_OPTIONS, attributesOf } from './attributes.js'
import { CLAIM_OPTION, claimsOf } from './claims.js'
import { refuseConfiguredUser, userJson, userText } from './user-text.js'

export const update: Command = {
  name: 'user update',
  effect: 'changes',
  summary: 'Change a user',
  about: [
    'Only what is named changes. The sub never changes, and sessions and grants stay. Clients see new claims in their next ID token and at UserInfo. A user of the configuration is changed there.',
  ],
  args: ['username'],
  options: {
    sub: SUB_OPTION,
    username: { value: 'username', help: 'The new username' },
    claim: CLAIM_OPTION,
    'remove-claim': {
      value: 'name',
      many: true,
      help: 'A claim to remove, such as email or address.locality',
    },
    ...ATTRIBUTE_OPTIONS,
    group: { value: 'name', many: true, help: 'A group of the user; all of them are replaced' },
    'add-group': { value: 'name', many: true, help: 'One more group' },
    'remove-group': { value: 'name', many: true, help: 'A group to remove' },
    'remove-attribute': { value: 'name', many: true, help: 'An attribute to remove' },
  },
  examples: [
    ['ostiary user update ann --claim email=ann@example.com --claim email_verified=true', 'A new address'],
    ['ostiary user update cem --username jem --remove-claim phone_number', 'A new username, and no phone'],
    [`ostiary user update ann --add-group staff --attribute level=3`, 'One more group, and an attribute'],
  ],
  ...ofRealm(async (realm, input) => {
    const found = await findUser(realm, input)
    refuseConfiguredUser(realm, found, 'change it')
    const updated = await realm.accounts.update({ sub: found.sub, change: changesOf(input) })
    if (updated === null) throw notFound('The user was deleted meanwhile')
    const { user, changed } = updated
    const { sub } = user
    const event = changed.length === 0 ? null : { subject: { sub, username: user.username }, fields: changed }
    return {
      text: `${userText(user)}\n${changeLine(changed)}`,
      json: { ...userJson(user), changed },
      event,
    }
  }, changesOf),
}

/** The changes of the options, as a function of the stored user. @throws CommandError (usage) */
function changesOf(input: CommandInput): (stored: User) => UserChanges {
  const username = input.text('username')
  const claims = claimsOf(input.list('claim'))
  const { attributes, groups } = attributesOf(input)
  const removed = {
    claims: input.list('remove-claim'),
    attributes: input.list('remove-attribute'),
    groups: input.list('remove-group'),
  }
  const added_groups = input.list('add-group')
  if (groups !== undefined && added_groups.length + removed.groups.length > 0)
    throw usageError('give --group, or --add-group and --remove-group')
  const lists = [Object.keys(claims), Object.keys(attributes ?? {}), groups ?? [], added_groups]
  if (username === undefined && [...lists, ...Object.values(removed)].every((list) => list.length === 0))
    throw usageError('name something to change; --help shows what can change')
  return (stored) => ({
    ...given({ username }),
    claims: changedClaims(stored.claims, claims, removed.claims),
    attributes: changedAttributes(stored.attributes, attributes, removed.attributes),
    groups: groups ?? changedGroups(stored.groups, added_groups, removed.groups),
  })
}

function changedClaims(stored: Claims, given: Claims, removed: readonly string[]): Claims {
  const claims: Record<string, unknown> = { ...stored, ...given }
  const isObject = (value: unknown) => typeof value === 'object' && value !== null
  // --claim address.locality=… leaves the other parts of the address.
  if (isObject(stored.address) && isObject(given.address))
    claims.address = { ...(stored.address as object), ...(given.address as object) }
  for (const name of removed) {
    const [outer = '', inner] = name.split('.')
    if (inner === undefined) delete claims[outer]
    else if (isObject(claims[outer])) claims[outer] = without(claims[outer] as object, [inner])
  }
  return claims as Claims
}

function changedAttributes(
  stored: User['attributes'],
  given: object | undefined,
  removed: readonly string[],
): User['attributes'] {
  if (given === undefined && removed.length === 0) return stored
  return without({ ...stored, ...given }, removed) as User['attributes']
}

function changedGroups(
  stored: User['groups'],
  added: readonly string[],
  removed: readonly string[],
): User['groups'] {
  if (added.length + removed.length === 0) return stored
  return [...new Set([...(stored ?? []), ...added])].filter((group) => !removed.includes(group))
}

const without = (record: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
