/** What is told over a place of the audit. */

import { catalogReasons, hintOfEvent } from '@ostiary/core'
import { storyText } from '../../admin-commands/src/audit/story-text.ts'
import { type auditPlace, REALM } from '../../audit/test/_place.ts'
import { realmOf } from '../../host/src/server/realm-of.ts'
import { explain, type Story } from '../src/index.ts'

export { auditPlace, NOW, REALM, userRecord } from '../../audit/test/_place.ts'

type Place = ReturnType<typeof auditPlace>

/** The stories of a name. */
export async function storiesOf(place: Place, name: string): Promise<Story[]> {
  await place.audit.flush()
  const { clients } = await place.provider.manage(REALM)
  const realm = await realmOf(place.bare, REALM)
  const core = { catalogReasons, hintOfEvent }
  return explain(place.store, { realm, core, clients, users: place.users }, name)
}

/** As a command prints them. */
export async function textOf(place: Place, name: string): Promise<string> {
  const { clients } = await place.provider.manage(REALM)
  const stories = await storiesOf(place, name)
  const texts = stories.map(async (story) => {
    const client = story.client_id === null ? null : await clients.find(story.client_id)
    const user = story.sub === null ? null : await place.users.find(story.sub)
    return storyText(story, { client, user })
  })
  return (await Promise.all(texts)).join('\n\n')
}
