/** A storage that refuses a record of a person without the tag of that person. */

import { type IssueGrant, personTag, type RealmStorage, tagOf } from '@ostiary/core'

/** @throws Error when the end of an id or a hash is not the tag. */
function requireTag(tag: string, ids: Readonly<Record<string, string>>): void {
  for (const [name, id] of Object.entries(ids))
    if (tagOf(id) !== tag)
      throw new Error(`${name} "${id}" does not end with the tag of its person, "${tag}"`)
}

/** The same stores, for tests: they refuse a record whose ids and hashes do not end with the tag of its `sub`. */
export function requireTags(stores: RealmStorage): RealmStorage {
  const { grants, sessions } = stores
  return {
    ...stores,
    grants: {
      ...grants,
      async create(grant, code) {
        requireTagsOfGrant(grant, code)
        return grants.create(grant, code)
      },
      async redeemCode(code_hash, next, now) {
        if (next.refresh_token !== null) requireTag(tagOf(code_hash), tokenIds(next.refresh_token))
        return grants.redeemCode(code_hash, next, now)
      },
      async rotateRefreshToken(token_hash, next, now) {
        if (next.refresh_token !== null) requireTag(tagOf(token_hash), tokenIds(next.refresh_token))
        return grants.rotateRefreshToken(token_hash, next, now)
      },
    },
    sessions: {
      ...sessions,
      async create(session) {
        const { sub, sid, session_hash } = session
        requireTag(personTag(sub), { sid, session_hash })
        return sessions.create(session)
      },
      async raise(sid, raised, expected_session_hash) {
        requireTag(tagOf(sid), { session_hash: raised.session_hash })
        return sessions.raise(sid, raised, expected_session_hash)
      },
    },
  }
}

type GrantAndCode = Parameters<IssueGrant>

const tokenIds = ({ token_hash, grant_id }: { token_hash: string; grant_id: string }) => ({
  token_hash,
  grant_id,
})

/** The same for `Storage.issue`. */
export const requireTagsOfIssue =
  (issue: IssueGrant): IssueGrant =>
  async (grant, code, consent) => {
    requireTagsOfGrant(grant, code)
    return issue(grant, code, consent)
  }

function requireTagsOfGrant({ sub, sid, grant_id }: GrantAndCode[0], code: GrantAndCode[1]): void {
  const { code_hash, grant_id: grant_of_code } = code
  requireTag(personTag(sub), { grant_id, code_hash, grant_of_code, ...(sid !== '' && { sid }) })
}
