/** By which the sessions of this server are found that a session of an upstream has begun. */

import { createHash } from 'node:crypto'
import type { EndedSession } from '../protocol/trip.js'

type Begun = Pick<EndedSession, 'issuer' | 'subject' | 'session'>

/** Of the user there, and of this one session. */
export const marksOf = (begun: Begun): string[] =>
  begun.session === null ? [markOf(begun)] : [markOf({ ...begun, session: null }), markOf(begun)]

export const markOf = ({ issuer, subject, session }: Begun): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject, session]))
    .digest('base64url')
