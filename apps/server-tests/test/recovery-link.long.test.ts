/** The operator's link in Chromium. */

import { it, vi } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { recover } from './recovery-flow.ts'

vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()

it('a user who has lost everything gets in by the link, and chooses anew', () =>
  recover(chromium, { locale: 'en-US' }))
