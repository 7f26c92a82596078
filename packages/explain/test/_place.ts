/** What is told over a place of the audit. */

import { hintOfEvent } from '@ostiary/core'
import { type auditPlace, REALM } from '../../audit/test/_place.ts'
import { explain, storyText } from '../src/index.ts'

export { auditPlace, NOW, REALM, userRecord } from '../../audit/test/_place.ts'

/** The text of the stories of a name. */
export async function textOf(place: ReturnType<typeof auditPlace>, name: string): Promise<string> {
  await place.audit.flush()
  const stories = await explain(place.store, { realm: REALM, name, hintOfEvent })
  const { clients } = await place.provider.manage(REALM)
  const texts = stories.map(async (story) => {
    const client = story.client_id === null ? null : await clients.find(story.client_id)
    const user = story.sub === null ? null : await place.users.find(story.sub)
    return storyText(story, { client, user })
  })
  return (await Promise.all(texts)).join('\n\n')
}
