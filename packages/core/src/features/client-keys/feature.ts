import type { Feature } from '../feature.js'
import { keySets } from './key-sets.js'
import { privateKeyJwt } from './private-key-jwt.js'

export const clientKeys: Feature = {
  spec: 'OpenID Connect Core §9, RFC 7523',
  enabled: ({ policy }) => policy.assertions !== null,
  authMethod({ realm, fetch_document, budgets, now }) {
    const { assertions: policy } = realm.policy
    if (policy === null) return null
    return privateKeyJwt({ policy, key_sets: keySets({ realm: realm.id, fetch_document, budgets, now }) })
  },
}
