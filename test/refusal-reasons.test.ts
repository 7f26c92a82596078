/** Each reason with which a request is refused has an entry in the catalog (core/src/refusals), and each entry is a reason. */

import { describe, expect, it } from 'vitest'
import { catalogReasons, hintFor } from '../packages/core/src/refusals/hints.ts'
import { sourcesOf } from './_sources.ts'

const SOURCES = ['core', 'identity', 'resource-server'].flatMap((name) =>
  sourcesOf(`packages/${name}`)
    .filter((file) => !file.name.startsWith('refusals/'))
    .map(({ name: file, text }) => ({ name: `${name}/${file}`, text })),
)

/** Core's own reasons have a type. These are texts: of resource-server, which knows no catalog, and of events. */
const PLACES = [
  /\bnew BearerError\(\s*'\w+',\s*'(\w+)'/g,
  /\binsufficient\('(\w+)'\)/g,
  /\breason(?:: |: \w+ === null \? )'(\w+)'/g,
]

/** Sessions, deliveries, mails and sign-ins end, wait or begin for these: nothing is refused. */
const NO_REFUSALS = new Set(
  `logout new_login login_required expired administrator account_page password_changed signed_out other_secret no_realm mailer`.split(
    ' ',
  ),
)

const found = SOURCES.flatMap(({ name, text }) =>
  PLACES.flatMap((place) => [...text.matchAll(place)].map(([, reason = '']) => ({ name, reason }))),
).filter(({ reason }) => !NO_REFUSALS.has(reason))

/** The names in each table of the catalog. */
const TABLES = sourcesOf('packages/core')
  .filter(({ text }) => /^export const \w+ = reasons\(\{$/m.test(text))
  .filter(({ name }) => name !== 'features/declarations')
  .map(({ text }) => [...text.matchAll(/^ {2}(\w+):(?: |$)/gm)].map(([, name = '']) => name))

describe('the catalog of refusals', () => {
  it('has no reason in two tables, of which one would hide the other', () => {
    expect(TABLES.length).toBeGreaterThan(10)
    expect(TABLES.flat().sort()).toEqual([...catalogReasons().keys()].sort())
  })

  it('has a sentence for each reason in the sources', () => {
    expect(found.length).toBeGreaterThan(60)
    expect(found.filter(({ reason }) => hintFor(reason) === null)).toEqual([])
  })

  it.each([...catalogReasons()])(
    '%s: one remedy, in one or two sentences that end',
    (...[, { hint, sent }]) => {
      expect(hint).toMatch(/^[A-Za-z].+[.:]$/)
      expect(hint.length).toBeLessThanOrEqual(280)
      expect(sent === null || /^\S+(?: \S+)*$/.test(sent)).toBe(true)
    },
  )
})
